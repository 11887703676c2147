public import Wire

/// One access unit: a picture or a piece of sound, as the camera has coded it.
public struct Frame: Hashable, Sendable {
    /// How it is coded. Where it differs from that of the frame before of the same kind, a decoder is set up anew.
    public let format: FrameFormat
    /// Pictures: NAL units, each behind its length in ``FrameFormat/lengthBytes`` bytes, big endian. Sound: one frame of the codec.
    public let data: [UInt8]
    /// When it is decoded, in ticks of ``FrameFormat/timescale``. Pictures and sound of a run have the same zero.
    public let decodeTime: Int64
    /// When it is shown, in ticks.
    public let presentationTime: Int64
    /// How long it is shown, in ticks.
    public let duration: Int64
    /// Whether decoding can begin with it.
    public let isSync: Bool
    /// Whether packets of it are missing.
    public let isDamaged: Bool
    /// Whether it does not follow the frame before: the first of a track, or behind a hole, a jump or frames that were not taken
    /// in time. A decoder is flushed before it. Such a frame can be decoded by itself.
    public internal(set) var isDiscontinuous: Bool
    /// The wall time at which it is shown on the time line of recordings: when it came from the camera.
    public internal(set) var time: WallTime

    /// Microseconds of a time in ticks; the farthest there is where they do not fit.
    static func microseconds(_ ticks: Int64, _ timescale: Int32) -> Int64 {
        let scale = Int64(max(1, timescale))
        let (whole, rest) = ticks.quotientAndRemainder(dividingBy: scale)
        let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return ticks < 0 ? .min / 2 : .max / 2 }
        return product &+ rest &* 1_000_000 / scale
    }
}
