/// Which steps to read from the journal itself.
public struct TraceQuery: Sendable, Hashable {
    /// Only this camera; nil for all.
    public var camera: String?
    /// Only this run of the daemon, 32 hexadecimal digits; nil for all.
    public var run: String?
    /// Only entries at or after this wall-clock moment, milliseconds since 1970.
    public var sinceMs: Int64?
    /// Only entries before or at this wall-clock moment, milliseconds since 1970.
    public var untilMs: Int64?
    /// Read the journal files of this folder instead of this machine's journal.
    public var directory: String?

    /// A query; everything unless named.
    public init(
        camera: String? = nil, run: String? = nil, sinceMs: Int64? = nil, untilMs: Int64? = nil,
        directory: String? = nil
    ) {
        self.camera = camera
        self.run = run
        self.sinceMs = sinceMs
        self.untilMs = untilMs
        self.directory = directory
    }
}
