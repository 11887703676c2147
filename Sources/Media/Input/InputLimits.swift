/// The bounds of everything that an input waits for or keeps.
public struct InputLimits: Hashable, Sendable {
    /// A dial must have succeeded within this many milliseconds.
    public var dialMs: Int64 = 10_000
    /// No packet for this many milliseconds ends a dial.
    public var silenceMs: Int64 = 10_000
    /// The largest frame in bytes; a larger one is cut and flagged.
    public var frameBytesMax = 8 << 20
    /// How long a reader rests between two looks at its socket, in milliseconds, so that packets come by the handful:
    /// it adds as much to the latency and saves a wake-up for each packet. 0: none.
    public var restMs: Int64 = 20
    /// UDP: how many packets wait for a late one.
    public var reorderPacketsMax = 64
    /// UDP: how long they wait, in milliseconds.
    public var reorderMs: Int64 = 200
    /// Tracks of one camera that are looked at.
    public var tracksMax = 8
    /// The largest RTSP answer in bytes.
    public var answerBytesMax = 64 << 10
    /// The stack of an input's thread in bytes.
    public var stackBytes = 512 << 10

    /// The default limits.
    public init() {}
}
