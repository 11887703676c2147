internal import Machines

extension RecordLine {
    /// The fields of a step, in their order: mark of the run, kind of machine, name, number, instant, wall time, digest, input,
    /// effects, and the whole state, empty where it was not written. A version before wrote no effects, and left out a state that
    /// was not to be written.
    private static let stepFields = 8...10

    /// The mark of the run that a step is of.
    var mark: String? { kind == .step ? text(0) : nil }

    /// The step; nil where it is none, or is not as this version writes it.
    ///
    /// - Parameter run: the run that has the step's mark; nil where the trace does not say.
    func step(of run: TraceRun?) -> TraceRecord? {
        guard kind == .step, Self.stepFields.contains(fields.count), let mark, let machine = text(1),
            let name = name(2),
            let seq = whole(3, UInt64.self), let at = whole(4, Int64.self), let wallMs = whole(5, Int64.self),
            let digest = text(6).flatMap(Digest.init(_:)), let input = text(7)
        else { return nil }
        let effects = fields.count > 9 ? text(8) : nil
        guard fields.count < 10 || effects != nil else { return nil }
        var state: String?
        if fields.count > 8 {
            guard let text = text(fields.count - 1) else { return nil }
            state = fields.count > 9 && text.isEmpty ? nil : text
        }
        return TraceRecord(
            kind: MachineKind(rawValue: machine), camera: name, seq: seq, run: run?.id ?? mark, boot: run?.boot ?? "",
            at: Instant(ms: at), input: input, digest: digest, effects: effects, state: state,
            version: run?.version ?? "",
            wallMs: wallMs)
    }

    /// The run that a record of one tells; nil for any other.
    var run: TraceRun? {
        guard kind == .run, fields.count == 4, let id = text(0), let boot = text(1), let version = name(2) else {
            return nil
        }
        return TraceRun(id: id, boot: boot, version: version)
    }
}
