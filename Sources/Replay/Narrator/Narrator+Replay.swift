internal import Machines

extension Narrator {
    /// How a replay of a run went, in one line.
    public func headline<Machine: ReplayedMachine>(_ replay: MachineReplay<Machine>) -> String {
        let agreed = replay.agreed == 1 ? "1 step replayed" : "\(replay.agreed) steps replayed"
        let differing =
            switch replay.differing {
            case 0: "no difference"
            case 1: "1 difference"
            default: "\(replay.differing) differences"
            }
        var parts = [agreed, differing]
        if replay.missingCount > 0 { parts.append("\(replay.missingCount) missing") }
        if replay.uncheckedCount > 0 { parts.append("\(replay.uncheckedCount) not compared") }
        return
            "\(Self.shortened(replay.camera)), run \(Self.shortened(String(replay.run.prefix(8)))) from \(when(replay.first)): "
            + parts.joined(separator: ", ")
    }

    /// What there is to say of the records themselves: missing, repeated, not compared, how the run begins and ends.
    public func remarks<Machine: ReplayedMachine>(_ replay: MachineReplay<Machine>) -> [String] {
        var lines: [String] = []
        if replay.first.seq != 1 {
            lines.append("begins with step \(replay.first.seq): the beginning of the run is not in what was read")
        }
        for steps in replay.missing { lines.append("\(Self.words(steps)) missing") }
        if replay.late > 0 {
            lines.append("\(replay.late) out of order: \(Self.words(replay.misplaced, of: replay.late))")
        }
        if replay.repeated > 0 {
            lines.append("\(replay.repeated) repeated: \(Self.words(replay.misplaced, of: replay.repeated))")
        }
        for stretch in replay.unchecked {
            let why =
                switch stretch.why {
                case .noBeginning: "there is no whole state before them"
                case .missing: "steps before them are missing, and no whole state follows those"
                case .difference: "they follow from the difference before"
                }
            lines.append("\(Self.words(stretch.steps)) not compared: \(why)")
        }
        if replay.withoutEffects > 0 {
            lines.append(
                "\(replay.withoutEffects) steps without their orders and reports, as older versions wrote them: held by one digest "
                    + "over all of a step, which names none of them")
        }
        let adopted = replay.adopted.prefix(5).map { String($0) }.joined(separator: ", ")
        if !adopted.isEmpty {
            lines.append("went on from the whole state at step \(adopted)" + (replay.adopted.count > 5 ? ", …" : ""))
        }
        return lines + [ending(replay)]
    }

    /// How the run ends, and what that can mean.
    public func ending<Machine: ReplayedMachine>(_ replay: MachineReplay<Machine>) -> String {
        let last = "ends with step \(replay.last.seq) of \(when(replay.last))"
        if let machine = replay.machine, machine.isOver { return last + ": stopped as it should" }
        if replay.isSucceeded {
            return last + " without a stop: Vigil was killed or crashed, or the last records are missing; "
                + "the trace cannot tell which"
        }
        return last + ": the run goes on, or was killed, or the last records are missing; the trace cannot tell which"
    }

    private func when<Machine: ReplayedMachine>(_ mark: MachineReplay<Machine>.Mark) -> String {
        time(at: mark.at, wallMs: mark.wallMs)
    }

    private static func words(_ steps: ClosedRange<UInt64>) -> String {
        steps.length == 1 ? "step \(steps.lowerBound)" : "steps \(steps.lowerBound)–\(steps.upperBound)"
    }

    private static func words(_ steps: [UInt64], of count: Int) -> String {
        "step " + steps.prefix(10).map { String($0) }.joined(separator: ", ") + (count > 10 ? ", …" : "")
    }
}
