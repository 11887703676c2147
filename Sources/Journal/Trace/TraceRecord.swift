public import Machines

/// One step of a camera's machine, as read back from the journal.
public struct TraceRecord: Sendable, Hashable {
    /// The camera whose machine stepped.
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
    /// The whole state after the step, canonical JSON, where it was written.
    public let state: String?
    /// The version of Vigil that made the step.
    public let version: String
    /// When the journal took the record, milliseconds since 1970 on the wall clock; nil where the source does not say.
    public let wallMs: Int64?

    /// A step.
    public init(
        camera: String, seq: UInt64, run: String, boot: String = "", at: Instant, input: String, digest: Digest,
        state: String? = nil, version: String = "", wallMs: Int64? = nil
    ) {
        self.camera = camera
        self.seq = seq
        self.run = run
        self.boot = boot
        self.at = at
        self.input = input
        self.digest = digest
        self.state = state
        self.version = version
        self.wallMs = wallMs
    }

    /// Reads the fields of a journal entry. Returns nil for an entry that is no trace.
    ///
    /// - Throws: ``JournalError/malformed(line:cause:)`` with the entry's position where it is a trace but not whole.
    init?(_ entry: JournalEntry) throws {
        guard let camera = try entry.text(.trace) else { return nil }
        self.camera = camera
        seq = try entry.number(.seq)
        run = try entry.required(.run)
        boot = try entry.text(.boot) ?? ""
        at = Instant(ms: try entry.number(.at))
        input = try entry.required(.input)
        state = try entry.text(.state)
        version = try entry.text(.version) ?? ""
        wallMs = entry.wallUsec.map { $0 / 1_000 }
        let text = try entry.required(.digest)
        guard let digest = Digest(text) else {
            throw entry.malformed("VIGIL_DIGEST is not 16 lower-case hexadecimal digits")
        }
        self.digest = digest
    }
}
