public import Machines

/// One step of a machine, as read back from the trace.
public struct TraceRecord: Sendable, Hashable {
    /// What kind of machine stepped.
    public let kind: MachineKind
    /// The camera whose machine stepped; the machine's own name where it is none of a camera.
    public let camera: String
    /// The number of the step in its run.
    public let seq: UInt64
    /// The run of the daemon, 32 hexadecimal digits.
    public let run: String
    /// The boot, 32 hexadecimal digits; empty where it could not be read.
    public let boot: String
    /// The instant that went into the step.
    public let at: Instant
    /// The machine event, canonical JSON.
    public let input: String
    /// The digest of the step: instant, input, state and effects.
    public let digest: Digest
    /// The effects, each by its own digest (``StepEffects/text``); nil in a record of a version that did not write them.
    public let effects: String?
    /// The whole state after the step, canonical JSON, where it was written.
    public let state: String?
    /// The version of Vigil that made the step.
    public let version: String
    /// When the step was made, or the journal took its record, milliseconds since 1970 on the wall clock; nil where the
    /// source does not say.
    public let wallMs: Int64?
    /// Who asked for the step, where somebody did and the source says so.
    public let user: String?

    /// A step.
    public init(
        kind: MachineKind = .camera, camera: String, seq: UInt64, run: String, boot: String = "", at: Instant,
        input: String, digest: Digest, effects: String? = nil, state: String? = nil, version: String = "",
        wallMs: Int64? = nil, user: String? = nil
    ) {
        self.kind = kind
        self.camera = camera
        self.seq = seq
        self.run = run
        self.boot = boot
        self.at = at
        self.input = input
        self.digest = digest
        self.effects = effects
        self.state = state
        self.version = version
        self.wallMs = wallMs
        self.user = user
    }
}
