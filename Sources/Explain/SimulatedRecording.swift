public import Machines

/// What a camera would have recorded in some time under one policy, on the wall clock: the simulations of its histories.
public struct SimulatedRecording: Sendable {
    /// A clip that would have been recorded.
    public struct Clip: Sendable, Hashable {
        /// Its time, milliseconds since 1970.
        public let time: Range<Int64>
        /// Why it was begun.
        public let cause: ClipCause
    }

    /// The time that counts, milliseconds since 1970.
    public let time: Range<Int64>
    /// The clips, in order, as far as they lie in the time.
    public private(set) var clips: [Clip] = []
    /// How many events began in it.
    public private(set) var events = 0
    /// How many detections in it did not count, by reason.
    private(set) var suppressed: [Camera.Suppression: Int] = [:]

    /// Nothing yet.
    public init(time: Range<Int64>) { self.time = time }

    /// How long there would be media, in milliseconds.
    var recordedMs: Int64 { clips.reduce(0) { $0 + Int64($1.time.count) } }

    /// The simulated recording of what `rehearse` makes of each history; a history without wall times is left out.
    public init(_ histories: [CameraHistory], time: Range<Int64>, simulate: (CameraHistory) -> PolicySimulation) {
        self.init(time: time)
        for history in histories {
            guard let begin = history.beginWallMs, let end = history.endWallMs, begin < time.upperBound,
                end >= time.lowerBound
            else { continue }
            add(simulate(history), history.walls)
        }
    }

    private mutating func add(_ simulation: PolicySimulation, _ walls: WallOffsets) {
        func wall(_ instant: Instant) -> Int64 { walls.wallMs(at: instant) ?? instant.ms }
        for clip in simulation.clips {
            let (from, to) = (wall(clip.start), wall(clip.end))
            guard from < to else { continue }
            let within = (from..<to).clamped(to: time)
            if !within.isEmpty { clips.append(Clip(time: within, cause: clip.cause)) }
        }
        events += simulation.events.count { time.contains(wall($0.began)) }
        for detection in simulation.suppressed where time.contains(wall(detection.at)) {
            suppressed[detection.why, default: 0] += 1
        }
    }
}

/// Two simulated recordings beside each other: what one records and the other does not.
public struct Comparison: Sendable {
    /// What was in force.
    public let before: SimulatedRecording
    /// What is asked about.
    public let after: SimulatedRecording
    /// Clips of `after` of which `before` holds nothing.
    let gained: [SimulatedRecording.Clip]
    /// Clips of `before` of which `after` holds nothing.
    public let lost: [SimulatedRecording.Clip]
    /// Media that only `after` holds, in milliseconds.
    public let gainedMs: Int64
    /// Media that only `before` holds, in milliseconds.
    public let lostMs: Int64

    /// Compares two simulated recordings on the same time.
    public init(before: SimulatedRecording, after: SimulatedRecording) {
        self.before = before
        self.after = after
        let (old, new) = (Self.union(before.clips), Self.union(after.clips))
        gained = after.clips.filter { Self.overlap($0.time, old) == 0 }
        lost = before.clips.filter { Self.overlap($0.time, new) == 0 }
        gainedMs = new.reduce(0) { $0 + Int64($1.count) - Self.overlap($1, old) }
        lostMs = old.reduce(0) { $0 + Int64($1.count) - Self.overlap($1, new) }
    }

    /// The stretches with media, in order, none touching another.
    private static func union(_ clips: [SimulatedRecording.Clip]) -> [Range<Int64>] {
        var union: [Range<Int64>] = []
        for time in clips.map(\.time).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = union.last, time.lowerBound <= last.upperBound {
                union[union.count - 1] = last.lowerBound..<max(last.upperBound, time.upperBound)
            } else {
                union.append(time)
            }
        }
        return union
    }

    /// How much of a stretch lies in others, in milliseconds.
    private static func overlap(_ time: Range<Int64>, _ others: [Range<Int64>]) -> Int64 {
        var (low, high) = (0, others.count)
        while low < high {
            let middle = (low + high) / 2
            if others[middle].upperBound <= time.lowerBound { low = middle + 1 } else { high = middle }
        }
        return others[low...].prefix { $0.lowerBound < time.upperBound }.reduce(0) {
            $0 + Int64($1.clamped(to: time).count)
        }
    }
}
