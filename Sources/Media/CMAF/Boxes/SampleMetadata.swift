/// One sample (access unit or audio frame) of a fragment, without its data.
public struct SampleMetadata: Hashable, Sendable {
    /// Bytes of data.
    public let size: UInt32
    /// Ticks to the next sample in decoding order.
    public let durationTicks: UInt32
    /// Presentation minus decode time, in ticks; negative values keep the first sample of a stream with B frames at its
    /// decode time.
    let compositionOffsetTicks: Int32
    /// Decoding can begin here.
    let isSync: Bool
    /// Packets of it were lost on the way: it is there in part only.
    public let isDamaged: Bool

    /// A sample; audio samples are all sync and have no composition offset.
    public init(
        size: UInt32, durationTicks: UInt32, compositionOffsetTicks: Int32 = 0, isSync: Bool = true,
        isDamaged: Bool = false
    ) {
        self.size = size
        self.durationTicks = durationTicks
        self.compositionOffsetTicks = compositionOffsetTicks
        self.isSync = isSync
        self.isDamaged = isDamaged
    }
}
