public import Machines

extension Narrator {
    /// The next moment at which time alone changes the machine, and what happens then; nil if there is none.
    public func nextDeadline(_ machine: Camera) -> (at: Instant, words: String)? {
        guard let next = machine.nextDeadline else { return nil }
        let due = Self.deadlines(machine).filter { $0.at == next }.map(\.words)
        return (next, due.isEmpty ? "time changes the machine" : due.joined(separator: ", and "))
    }

    /// Everything that time will bring, in no order.
    private static func deadlines(_ machine: Camera) -> [(at: Instant, words: String)] {
        link(machine.link) + trigger(machine.trigger) + recorder(machine.recorder)
    }

    private static func link(_ link: Link) -> [(at: Instant, words: String)] {
        var due: [(at: Instant, words: String)] = []
        switch link.state {
        case .off: break
        case .waiting(let until): due.append((until, "the wait before the next dial is over"))
        case .dialing(let dial, _, let deadline): due.append((deadline, "dial \(dial.rawValue) is given up"))
        case .synchronizing(let dial, _, let silence, let patience, let warned):
            due.append((silence, "dial \(dial.rawValue) counts as silent, unless packets come"))
            let missing =
                warned ? "dial \(dial.rawValue) is given up without a key frame" : "the missing key frame is reported"
            due.append((patience, missing))
        case .streaming(let dial, _, let silence, let steady):
            due.append((silence, "dial \(dial.rawValue) counts as silent, unless packets come"))
            if let steady { due.append((steady, "the failures before dial \(dial.rawValue) are forgotten")) }
        }
        if let hangUp = link.hangingUp {
            due.append((hangUp.deadline, "the hang-up of dial \(hangUp.number.rawValue) is no longer waited for"))
        }
        return due
    }

    private static func trigger(_ trigger: Trigger) -> [(at: Instant, words: String)] {
        var due: [(at: Instant, words: String)] = trigger.sources.map {
            ($0.staleAt, "source \($0.number.rawValue) counts no longer unless refreshed")
        }
        switch trigger.state {
        case .quiet, .settling: break
        case .active(_, let window), .silent(let window):
            due.append((min(window.end, window.limit), "the window is over"))
            if !trigger.sources.isEmpty, let previous = window.previousEnd {
                due.append((previous, "a source that is on may prolong the window"))
            }
        case .blind(let until): due.append((until, "the blind time is over"))
        }
        return due
    }

    private static func recorder(_ recorder: Recorder) -> [(at: Instant, words: String)] {
        var due: [(at: Instant, words: String)] = recorder.closing.map {
            ($0.deadline, "the closing of clip \($0.number.rawValue) is no longer waited for")
        }
        switch recorder.state {
        case .idle: if let retryAt = recorder.retryAt { due.append((retryAt, "the next clip is tried")) }
        case .opening(let clip, let deadline):
            due.append((deadline, "the opening of clip \(clip.number.rawValue) is given up"))
        case .writing(let clip, let cutAt): due.append((cutAt, "a cut of clip \(clip.number.rawValue) is due"))
        case .cutting(let clip, _, let grace):
            due.append(
                (grace, "clip \(clip.number.rawValue) is cut without a key frame, or goes on if media is wanted"))
        }
        return due
    }
}
