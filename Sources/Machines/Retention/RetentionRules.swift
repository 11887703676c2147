/// How long and how much media is kept. A value that is nil sets no limit of its kind.
public struct RetentionRules: Hashable, Sendable, Codable {
    /// Continuous media older than this goes, in milliseconds.
    public var continuousMs: Int64?
    /// Event media older than this goes, in milliseconds.
    public var eventsMs: Int64?
    /// The oldest media goes when all of it exceeds this, in bytes.
    public var maxBytes: Int64?

    /// Rules; none unless named.
    public init(continuousMs: Int64? = nil, eventsMs: Int64? = nil, maxBytes: Int64? = nil) {
        self.continuousMs = continuousMs
        self.eventsMs = eventsMs
        self.maxBytes = maxBytes
    }
}
