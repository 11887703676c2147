/// A picture of what a camera sends.
public struct LiveSnapshot: Hashable, Sendable {
    /// How long one is waited for, in milliseconds.
    public static let waitMsMax: Int64 = 10_000
    /// How many a second may be asked for.
    public static let perSecond = 1...10
    /// How many a second come where nothing is said.
    static let perSecondStandard = 5
    /// How wide they are where nothing is said, in pixels.
    public static let widthStandard = 640

    /// The bytes of a JPEG file.
    public let jpeg: [UInt8]
    /// When its frame arrived.
    public let at: WallTime

    /// A picture.
    public init(jpeg: [UInt8], at: WallTime) { (self.jpeg, self.at) = (jpeg, at) }
}

/// Pictures of what a camera sends, one after another.
public struct LiveSnapshots: Sendable {
    /// The pictures, for one task.
    public let pictures: any AsyncSequence<LiveSnapshot, Never> & Sendable
    /// Ends them; from any thread.
    public let leave: @Sendable () -> Void

    /// Pictures that `leave` ends.
    public init(
        _ pictures: any AsyncSequence<LiveSnapshot, Never> & Sendable, leave: @escaping @Sendable () -> Void
    ) {
        (self.pictures, self.leave) = (pictures, leave)
    }
}
