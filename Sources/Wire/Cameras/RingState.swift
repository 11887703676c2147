/// What the pre-roll ring of a camera holds, and what it may hold. While a clip is being written that is what is not in it yet.
public struct RingState: Hashable, Sendable, Codable {
    /// Bytes held.
    public var bytes: Int64
    /// Media held, in milliseconds.
    public var durationMs: Int64
    /// Its bound in bytes.
    public var limitBytes: Int64

    /// A ring's filling.
    public init(bytes: Int64, durationMs: Int64, limitBytes: Int64) {
        self.bytes = bytes
        self.durationMs = durationMs
        self.limitBytes = limitBytes
    }
}
