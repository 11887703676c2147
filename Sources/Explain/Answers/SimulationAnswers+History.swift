internal import Machines
internal import Policies
internal import Replay
internal import Server

extension SimulateAnswer {
    init(
        _ camera: String, _ policy: PolicyDocument, _ comparison: Comparison, _ byteRate: Double?,
        _ unknown: [Unknown], _ narrator: Narrator
    ) {
        func clips(_ clips: [SimulatedRecording.Clip]) -> [Clip] {
            clips.map {
                Clip(start: WallTime(ms: $0.time.lowerBound), end: WallTime(ms: $0.time.upperBound), cause: $0.cause)
            }
        }
        self.init(
            camera: camera, policy: policy.name, revision: policy.revision,
            from: WallTime(ms: comparison.before.time.lowerBound),
            to: WallTime(ms: comparison.before.time.upperBound),
            inForce: SimulatedRecordingAnswer(comparison.before, byteRate),
            simulated: SimulatedRecordingAnswer(comparison.after, byteRate), gained: clips(comparison.gained),
            lost: clips(comparison.lost), gainedMs: comparison.gainedMs, lostMs: comparison.lostMs,
            notKnown: unknown.map { UnknownAnswer($0, narrator) })
    }
}

extension LadderAnswer {
    init(
        _ camera: String, _ ladder: Ladder, _ time: Range<Int64>, _ byteRate: Double?, _ unknown: [Unknown],
        _ narrator: Narrator
    ) {
        var remarks: [String] = []
        if ladder.modes.contains(.continuous) {
            remarks.append(
                "continuous mode was in force: there clips do not depend on the two; --as-events tells of events")
        }
        if ladder.modes.contains(.off) { remarks.append("the mode was off at times: nothing is recorded then") }
        self.init(
            camera: camera, from: WallTime(ms: time.lowerBound), to: WallTime(ms: time.upperBound),
            rungs: ladder.rungs.map {
                Rung(
                    sensitivity: $0.sensitivity.rawValue, maxEventLengthMs: $0.maxMs, isToday: $0.isToday,
                    simulated: SimulatedRecordingAnswer($0.simulated, byteRate))
            }, remarks: remarks, notKnown: unknown.map { UnknownAnswer($0, narrator) })
    }
}

extension SimulatedRecordingAnswer {
    init(_ simulated: SimulatedRecording, _ byteRate: Double?) {
        self.init(
            events: simulated.events, clips: simulated.clips.count, recordedMs: simulated.recordedMs,
            bytes: byteRate.flatMap { Int64(exactly: (Double(simulated.recordedMs) * $0).rounded()) },
            suppressed: Dictionary(uniqueKeysWithValues: simulated.suppressed.map { ($0.key.rawValue, $0.value) }))
    }
}

extension UnknownAnswer {
    init(_ unknown: Unknown, _ narrator: Narrator) {
        self.init(
            kind: unknown.kind.rawValue, ms: unknown.ms,
            times: unknown.times.map { Time(from: WallTime(ms: $0.lowerBound), to: WallTime(ms: $0.upperBound)) },
            words: narrator.words(unknown))
    }
}
