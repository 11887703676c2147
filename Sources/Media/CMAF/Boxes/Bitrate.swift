/// The bit rate of a track for its `btrt` box, in bits per second.
public struct Bitrate: Hashable, Sendable {
    /// The highest rate over any second.
    public let max: UInt32
    /// The average.
    public let average: UInt32

    /// A bit rate.
    public init(max: UInt32, average: UInt32) {
        self.max = max
        self.average = average
    }
}
