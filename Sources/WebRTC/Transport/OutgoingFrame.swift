/// Bytes that stay where they are while they are read.
public protocol FrameBytes: Sendable {
    /// Calls `body` with the bytes; they must not be used after it returns.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

/// A frame on its way to one viewer.
public struct OutgoingFrame: Sendable {
    /// What it is a frame of.
    public enum Kind: Sendable {
        /// An access unit: NAL units, each behind its size in four bytes. Where it is a key frame without parameter sets, these go
        /// before it.
        case video(VideoForm, isKey: Bool, parameterSets: [[UInt8]])
        /// Samples of G.711, or a packet of Opus, as it was negotiated.
        case sound
    }

    /// What it is a frame of.
    public let kind: Kind
    /// Its time in RTP: 90 000 ticks a second for video, `SentMedia.Sound.clockRate` for sound.
    public let stamp: UInt32
    /// The wall time of its presentation, in milliseconds since 1970, which reports tell; nil where `stamp` is not true.
    public let wallMs: Int64?
    /// Its bytes.
    public let bytes: any FrameBytes

    /// A frame.
    public init(_ kind: Kind, stamp: UInt32, wallMs: Int64?, bytes: any FrameBytes) {
        (self.kind, self.stamp, self.wallMs, self.bytes) = (kind, stamp, wallMs, bytes)
    }
}
