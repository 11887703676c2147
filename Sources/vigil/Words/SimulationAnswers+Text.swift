internal import Machines
internal import Wire

extension SimulateAnswer {
    /// Clips of each list that people are shown.
    private static let shownMax = 20

    /// The answer for people.
    func text(_ clock: DisplayClock) -> String {
        var lines = ["\(camera), \(clock.show(from)) to \(clock.show(to)), under policy \(policy) \(revision)"]
        var table = Table([("", .left), ("IN FORCE", .right), ("SIMULATED", .right)])
        table.add("events", "\(inForce.events)", "\(simulated.events)")
        table.add("clips", "\(inForce.clips)", "\(simulated.clips)")
        table.add("recorded", Words.length(ms: inForce.recordedMs), Words.length(ms: simulated.recordedMs))
        table.add("size", inForce.size, simulated.size)
        for why in Camera.Suppression.allCases {
            let (before, after) = (inForce.suppressed[why.rawValue] ?? 0, simulated.suppressed[why.rawValue] ?? 0)
            if before + after > 0 { table.add("suppressed: \(why.rawValue)", "\(before)", "\(after)") }
        }
        lines += table.lines.map { "  " + $0 }
        lines += list("gained", "+", gained, gainedMs, clock) + list("lost", "-", lost, lostMs, clock)
        if !notKnown.isEmpty { lines.append("  not known:") }
        lines += notKnown.map { "    " + $0.words }
        return lines.joined(separator: "\n")
    }

    private func list(_ title: String, _ sign: String, _ clips: [Clip], _ ms: Int64, _ clock: DisplayClock) -> [String]
    {
        var lines = ["  \(title): \(clips.count) clips, \(Words.length(ms: ms)) of media"]
        for clip in clips.prefix(Self.shownMax) {
            let length = Words.length(ms: clip.end.ms - clip.start.ms)
            lines.append("    \(sign) \(clock.show(clip.start))  \(length)  \(clip.cause.rawValue)")
        }
        if clips.count > Self.shownMax { lines.append("    and \(clips.count - Self.shownMax) more; --json lists all") }
        return lines
    }
}

extension LadderAnswer {
    /// The answer for people.
    func text(_ clock: DisplayClock) -> String {
        var table = Table([
            ("SENSITIVITY", .right), ("LENGTH", .right), ("EVENTS", .right), ("CLIPS", .right), ("HOURS", .right),
            ("SIZE", .right), ("", .left),
        ])
        for rung in rungs {
            let hundredths = rung.simulated.recordedMs / 36_000
            let hours = "\(hundredths / 100)." + String(hundredths % 100 + 100).dropFirst()
            table.add(
                "\(rung.sensitivity)", "\(rung.maxEventLengthMs / 1_000)s", "\(rung.simulated.events)",
                "\(rung.simulated.clips)", hours, rung.simulated.size, rung.isToday ? "today" : "")
        }
        var lines = ["\(camera), \(clock.show(from)) to \(clock.show(to))"] + table.lines + remarks
        if !notKnown.isEmpty { lines.append("not known:") }
        return (lines + notKnown.map { "  " + $0.words }).joined(separator: "\n")
    }
}

extension SimulatedRecordingAnswer {
    /// The size for people.
    fileprivate var size: String { bytes.map(Words.size) ?? "not known" }
}
