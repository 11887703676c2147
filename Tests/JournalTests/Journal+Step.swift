import Machines
import Trace

@testable import Journal

extension Journal {
    /// Makes a step of values and records it; returns its digest.
    @discardableResult
    func trace<Input: Encodable, State: Encodable, Effect: Encodable>(
        camera: String, seq: UInt64, at: Instant, input: Input, state: State, effects: [Effect], visible: Bool,
        fields: [(Field, String)] = []
    ) throws -> Digest {
        let step = try TraceStep(
            name: camera, seq: seq, at: at, wallMs: 0, input: input, state: state, effects: effects,
            clean: Redaction.clean)
        trace(step, visible: visible, fields: fields)
        return step.digest
    }
}
