public import Machines
internal import Trace

extension Narrator {
    /// A part of what is said about a moment.
    public struct Fact: Sendable, Hashable, Codable {
        /// Which part of the machine: coverage, link, trigger, recorder, intent.
        public let part: String
        /// What it was doing.
        public let words: String
        /// Since when, milliseconds since 1970; nil where that was before what was read.
        public let sinceMs: Int64?
        /// What was taken in the step that made it so.
        public let cause: String?
    }

    /// What each part of the machine was doing, since when, and by what.
    public func facts(_ machine: Camera, _ history: StepHistory) -> [Fact] {
        func fact(_ part: String, _ words: String, _ step: Step?) -> Fact {
            // The first step is a tick that changes nothing itself: what it found began with the run.
            let cause = step.map { $0.seq == 1 ? "the run began" : at($0.at, wallMs: $0.wallMs).words($0.event) }
            return Fact(part: part, words: words, sinceMs: step?.wallMs, cause: cause)
        }
        return [
            fact("coverage", coverage(machine), history.coverage), fact("link", link(machine), history.link),
            fact("trigger", trigger(machine), history.trigger), fact("recorder", recorder(machine), history.recorder),
            fact("intent", intent(machine), history.intent),
        ]
    }

    /// What a moment was like: a line for each part of the machine, the next deadline, and what led there.
    public func account(_ moment: MomentReplay) -> [String] {
        guard let replay = moment.replay else {
            return [
                "\(Self.shortened(moment.camera)) at \(clock(moment.wallMs)): the trace that was read has no step of it before that"
            ]
        }
        let last = replay.last
        let narrator = at(last.at, wallMs: last.wallMs)
        var lines = [
            "\(Self.shortened(moment.camera)) at \(clock(moment.wallMs)): as step \(last.seq) left it at \(narrator.time(last.at))",
            "  dials, clips and events are numbered within run \(Self.shortened(String(replay.run.prefix(8)))), "
                + "not as in the catalog",
        ]
        guard let machine = replay.machine else {
            return lines + [
                "what the machine was doing is not known: records are missing or differ, and no whole state follows them"
            ]
        }
        for fact in narrator.facts(machine, moment.history) {
            let since = fact.sinceMs.map { "since \(clock($0))" } ?? "since before what was read"
            let cause = fact.cause.map { ", when \($0)" } ?? ""
            lines.append("  \(fact.part): \(fact.words) (\(since)\(cause))")
        }
        lines.append("  next: " + narrator.next(machine, moment))
        if !moment.history.noticed.isEmpty { lines.append("what led there:") }
        lines += moment.history.noticed.map { "  " + line($0) }
        return lines
    }

    private func next(_ machine: Camera, _ moment: MomentReplay) -> String {
        if machine.stopped { return "nothing, it had stopped" }
        var words = nextDeadline(machine).map { due in
            let left = wall.map { ", in \(Self.length($0.wallMs(at: due.at).subtractingClamped(moment.wallMs)))" } ?? ""
            return "at \(time(due.at))\(left): \(due.words)"
        }
        if let next = moment.next, next.run != moment.replay?.run {
            words =
                (words.map { $0 + "; " } ?? "") + "but the next record is of another run, at "
                + time(at: next.at, wallMs: next.wallMs) + ": Vigil may not have been running"
        }
        return words ?? "nothing is due"
    }
}
