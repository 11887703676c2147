internal import Wire

extension WhyAnswer {
    /// Detections that people are shown.
    private static let suppressedMax = 8

    /// The answer for people.
    func text(_ clock: DisplayClock) -> String {
        var head = "\(camera) at \(clock.show(time)): \(label)"
        if let rule { head += " by rule \(rule)" }
        if let from, let to { head += ", from \(clock.show(from)) to \(clock.show(to))" }
        if let clip { head += ", in clip \(clip)" }
        if let event { head += ", during event \(event)" }
        var lines = [head]
        lines += failed.map { "  because " + $0.words }
        for detection in suppressed.suffix(Self.suppressedMax) {
            let time = detection.time.map(clock.show) ?? "near it"
            lines.append("    \(time) a detection of level \(detection.level): \(detection.words)")
        }
        if suppressed.count > Self.suppressedMax {
            lines.append("    and \(suppressed.count - Self.suppressedMax) detections before that did not count")
        }
        lines.append("  " + remedy.words)
        lines += remarks.map { "  " + $0 }
        // Without the machine's state there is nothing to tell of it.
        if let moment, !moment.facts.isEmpty { lines += moment.account }
        return lines.joined(separator: "\n")
    }
}
