/// A nominal frame rate as a fraction, as a parameter set states it. Cameras lie here; it is a hint, never a clock.
public struct FrameRate: Hashable, Sendable {
    /// Frames…
    let numerator: UInt64
    /// …in so many seconds. Not 0.
    let denominator: UInt64

    /// A rate of more than 0 and at most 1000 frames a second; nil otherwise.
    public init?(numerator: UInt64, denominator: UInt64) {
        guard numerator > 0, denominator > 0, numerator / denominator <= 1000 else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Frames per second.
    public var perSecond: Double { Double(numerator) / Double(denominator) }
}
