public import Machines

/// One coded frame of one track, on its way from the camera to disk. A small value; its bytes stay in a shared slab.
///
/// Video bytes are NAL units, each behind its length in four bytes (ISO/IEC 14496-15, lengthSizeMinusOne 3), ready for
/// an mdat; parameter sets that came in the stream are still in them. Audio bytes are one raw AAC or Opus packet.
public struct Frame: Sendable {
    /// Ordinal of the track in its dial, as in `StreamDescription.ordinal`.
    public let track: Int
    /// What the track carries.
    public let kind: TrackKind
    /// Decoding time in ticks of the track's timescale on the dial's common timeline; strictly increasing per track and dial.
    public internal(set) var dts: Int64
    /// Presentation time in the same ticks, at least `dts`.
    public internal(set) var pts: Int64
    /// How long it lasts in ticks, where that is known (audio always; video only from files and the demo).
    public let durationTicks: Int64?
    /// Whether decoding can begin here: H.264 IDR, H.265 IRAP, every audio frame.
    public let isKey: Bool
    /// Whether the frame carries a recovery point (gradual refresh): a decoder becomes right some frames later.
    let isRecoveryPoint: Bool
    /// Whether packets of it were lost or it was cut at a bound; it is kept all the same.
    public let isDamaged: Bool
    /// Whether it is silence in the place of what the camera sent, because the microphone is off.
    var isSilence = false
    /// When its first packet arrived (CLOCK_BOOTTIME).
    public let arrival: Instant
    /// The camera's wall clock at the frame in milliseconds since 1970, where its sender reports give it.
    let wallClockMs: Int64?
    /// What a decoder needs for it; a new object when the stream's parameters change.
    public let configuration: TrackConfiguration
    let storage: Slab
    let offset: Int
    /// Size in bytes.
    public let count: Int
    /// Bytes of slabs that lie unused because this frame did not fit into them.
    var slack = 0

    /// Bytes of memory that the frame takes where it waits: its own, the slack, and its entries in rings and queues, whose
    /// storage may be half empty. Every ring and queue is bounded by this, so frames of one byte cannot fill the memory.
    public var cost: Int { count + slack + Frame.entryBytes }

    /// What a frame takes besides its bytes.
    package static let entryBytes = 2 * (MemoryLayout<Frame>.stride + 2 * MemoryLayout<UInt64>.stride)

    /// Calls `body` with the bytes of the frame; they must not be used after it returns.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: storage.base + offset, count: count))
    }
}
