/// Where the journal goes, and what each record says about the daemon.
public struct JournalOptions: Sendable, Hashable {
    /// Which outlets are used.
    public enum Output: Sendable, Hashable {
        /// journald where it listens, also when stderr is a stream of journald; plain lines on stderr where it does not,
        /// and besides journald where stderr is a terminal. Decided once, at the start.
        case automatic
        /// journald only; while it is gone records wait in the queue.
        case journald
        /// Plain lines on stderr only; the steps of the machines are none of them.
        case lines
    }

    /// Which outlets are used.
    public var output: Output
    /// journald's socket; at most 107 bytes.
    var socketPath: String
    /// SYSLOG_IDENTIFIER.
    public var identifier: String
    /// VIGIL_VERSION on the trace.
    public var version: String
    /// The id of this run of the daemon.
    public var run: RandomID
    /// What the queues may hold.
    public var limits: JournalLimits
    /// Lines less urgent than this are not written; journald gets everything.
    public var linesPriorityMax: Priority
    /// The descriptor for plain lines; it stays the caller's.
    var linesDescriptor: Int32

    /// Options for a daemon of version `version`. Without `socketPath`, journald is where systemd has it.
    public init(
        version: String, output: Output = .automatic, socketPath: String? = nil,
        identifier: String = "vigil", run: RandomID = RandomID(), limits: JournalLimits = JournalLimits(),
        linesPriorityMax: Priority = .info, linesDescriptor: Int32 = 2
    ) {
        self.version = version
        self.output = output
        self.socketPath = socketPath ?? JournalSocket.standardPath
        self.identifier = identifier
        self.run = run
        self.limits = limits
        self.linesPriorityMax = linesPriorityMax
        self.linesDescriptor = linesDescriptor
    }
}
