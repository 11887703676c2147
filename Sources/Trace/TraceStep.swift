public import Machines

/// One step of a machine on its way into the trace, and into the journal where that carries steps too.
public struct TraceStep: Sendable {
    /// A whole state is written with every step whose number is a multiple of this, with the first step of a machine in a
    /// run, and with the first one after steps were lost.
    public static let stateInterval: UInt64 = 256

    /// What kind of machine stepped.
    public let kind: MachineKind
    /// The name of the machine: the camera's, where it is one of a camera.
    public let name: String
    /// The number of the step; rises by one for each machine and run of the daemon.
    public let seq: UInt64
    /// The instant that went into the step.
    public let at: Instant
    /// When it was made, milliseconds since 1970.
    public let wallMs: Int64
    /// The machine event, canonical JSON.
    public let input: String
    /// The digest over instant, input, state and effects.
    public let digest: Digest
    /// What the machine answered, each effect by its own digest: ``StepEffects/text``.
    public let effects: String
    /// The whole state after the step, canonical JSON; nil where it is not to be written.
    public var state: String?

    /// Whether a whole state stands in each trace at this step, whatever was lost.
    public var isWhole: Bool { seq == 1 || seq % Self.stateInterval == 0 }

    /// A step, with its whole state.
    ///
    /// - Parameter clean: takes secrets out of what is written. The digest covers the input as it is written.
    /// - Throws: ``TraceError/notEncodable(subject:cause:)``.
    public init<Input: Encodable, State: Encodable, Effect: Encodable>(
        kind: MachineKind = .camera, name: String, seq: UInt64, at: Instant, wallMs: Int64, input: Input, state: State,
        effects: [Effect], clean: (String) -> String = { $0 }
    ) throws(TraceError) {
        self.kind = kind
        self.name = name
        self.seq = seq
        self.at = at
        self.wallMs = wallMs
        self.input = clean(try CanonicalJSON.text(of: input))
        let bytes = try CanonicalJSON.encode(state)
        let answer = try StepEffects(effects)
        digest = Digest(at: at, input: self.input, stateBytes: bytes, effects: answer)
        self.effects = answer.text
        self.state = clean(String(decoding: bytes, as: UTF8.self))
    }

    /// About how much memory it holds, in bytes.
    public var bytes: Int { name.utf8.count + input.utf8.count + effects.utf8.count + (state?.utf8.count ?? 0) + 160 }
}
