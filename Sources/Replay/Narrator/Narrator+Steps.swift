public import Machines
internal import Trace

extension Narrator {
    /// When a step was made: the time at which the journal took it, or its instant where that is not known.
    public func time(at instant: Instant, wallMs: Int64?) -> String { self.at(instant, wallMs: wallMs).time(instant) }

    /// A step in one line: when, which, what the machine took, what it answered.
    public func line<Machine: ReplayedMachine>(_ step: MachineStep<Machine>) -> String {
        let narrator = at(step.at, wallMs: step.wallMs)
        let when = narrator.time(step.at)
        return
            "\(when)  step \(step.seq): \(Machine.words(step.event, narrator)) → \(Machine.words(step.effects, narrator))"
    }

    /// A difference as a story: the headline, what led there, what was taken, answered and expected. `version` is that of the
    /// machine that ran the step again.
    public func story<Machine: ReplayedMachine>(
        _ difference: MachineDifference<Machine>, version: String
    ) -> [String] {
        let record = difference.record
        let narrator = at(record.at, wallMs: record.wallMs)
        var lines = ["step \(record.seq) of \(narrator.time(record.at)) differs: \(narrator.headline(difference))"]
        if !difference.before.isEmpty { lines.append("  what led there:") }
        lines += difference.before.map { "    " + line($0) }
        lines.append("  what differs:")
        switch difference.cause {
        case .answer(let step, let state, let digest):
            lines += ["    " + line(step), "    the machine then: " + state.summary(narrator)]
            lines.append("    digest in the journal: \(record.digest); digest of this answer: \(digest)")
        case .wholeState(let step), .effects(let step): lines.append("    " + line(step))
        case .instant(let afterMs): lines.append("    \(Self.length(afterMs)) after the step before")
        case .unknownInput(let text), .unknownState(let text): lines.append("    " + Self.shortened(text))
        }
        lines +=
            difference.effects.map { "    " + narrator.words($0) } + difference.parts.map { "    " + Self.words($0) }
        if case .answer = difference.cause, record.effects != nil, difference.effects.isEmpty {
            lines.append("    every order and report is as recorded: what differs is the state, or the record itself")
        }
        return lines + verdicts(difference, version).map { "  " + $0 }
    }

    /// A part of a state or a record, as it was recorded and as it should be.
    static func words(_ part: StatePart) -> String {
        "\(part.path): \(shortened(part.recorded ?? "nothing")) in the journal, "
            + "\(shortened(part.replayed ?? "nothing")) by the machine"
    }

    /// An order or a report that is not as recorded.
    private func words<Machine: ReplayedMachine>(_ difference: EffectDifference<Machine>) -> String {
        switch difference {
        case .missing(let effect): "not recorded, but given by the machine: \(Machine.words([effect], self))"
        case .added(let digest): "recorded, but not given by the machine: one with the digest \(digest)"
        case .altered(let effect, let digest):
            "recorded with the digest \(digest), but given by the machine: \(Machine.words([effect], self))"
        case .outOfOrder(let effect): "recorded in another place: \(Machine.words([effect], self))"
        }
    }

    private func headline<Machine: ReplayedMachine>(_ difference: MachineDifference<Machine>) -> String {
        switch difference.cause {
        case .answer(let step, _, _): "given that \(Machine.words(step.event, self)), the machine now answers otherwise"
        case .effects: "the digest agrees, but the orders and reports in the same record do not"
        case .wholeState: "the digest agrees, but the whole state in the same record does not"
        case .instant: "its instant cannot be right"
        case .unknownInput: "this version does not know its input"
        case .unknownState: "this version does not know its whole state, or no step can lead to it"
        }
    }

    /// What the difference may come from.
    private func verdicts<Machine: ReplayedMachine>(
        _ difference: MachineDifference<Machine>, _ version: String
    ) -> [String] {
        var lines: [String] = []
        if difference.record.version != version {
            lines.append(
                "recorded by Vigil \(Self.shortened(difference.record.version)), replayed by \(version): "
                    + "the machine may have been changed in between")
        }
        if let seq = difference.agreesFrom {
            lines.append(
                "step \(seq) agrees again: this record was altered, or the machine then gave another answer from "
                    + "the same state")
        } else if case .wholeState = difference.cause {
            lines.append("the state in this record was altered: the digest is that of another")
        } else if case .effects = difference.cause {
            lines.append("the orders and reports in this record were altered: the digest is that of others")
        } else if difference.record.version == version {
            lines.append("this record was altered, or the machine does not decide the same twice")
        }
        return lines
    }

    /// The whole machine in one line.
    public func summary(_ machine: Camera) -> String {
        "link \(link(machine)); trigger \(trigger(machine)); recorder: \(recorder(machine)); \(coverage(machine))"
    }

    /// Text from outside, on one line and not too long.
    static func shortened(_ text: String) -> String {
        let clean = text.unicodeScalars.prefix(200).map {
            $0.value < 32 || (127...159).contains($0.value) ? "·" : String($0)
        }.joined()
        return text.unicodeScalars.count > 200 ? clean + "…" : clean
    }
}
