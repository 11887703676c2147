/// One run of the daemon, as the trace names it.
public struct TraceRun: Sendable, Hashable {
    /// Its id, 32 hexadecimal digits.
    public let id: String
    /// The id of the boot, 32 hexadecimal digits; empty where it could not be read.
    public let boot: String
    /// The version of Vigil.
    public let version: String

    /// A run.
    public init(id: String, boot: String, version: String) {
        self.id = id
        self.boot = boot
        self.version = version
    }

    /// What each step names its run by: the first digits of the id.
    var mark: String { String(id.prefix(8)) }
}
