/// How an object is divided for an upload in parts: equal parts, and a last one of what is left.
public struct PartPlan: Sendable, Hashable {
    /// The numbers that parts may have.
    public static let numbers: ClosedRange<Int> = 1...10_000
    /// The least that a part may have, unless it is the last: 5 MiB.
    static let partBytesMin: UInt64 = 5 << 20
    /// The most that a part may have: 5 GiB.
    static let partBytesMax: UInt64 = 5 << 30
    /// The most that an object may have: 5 TiB, and so never more than 10,000 of the largest parts.
    static let objectBytesMax: UInt64 = 5 << 40

    /// The object's length in bytes.
    public let bytes: UInt64
    /// Each part's length in bytes; the last may have less.
    public let partBytes: UInt64

    /// A plan for `bytes`; nil where there are none, or more than an object may have. The parts have `preferred` bytes, or as many
    /// whole MiB as it takes to have no more than 10,000 of them.
    public init?(bytes: UInt64, preferred: UInt64 = 16 << 20) {
        guard (1...Self.objectBytesMax).contains(bytes) else { return nil }
        let most = UInt64(Self.numbers.upperBound)
        let least = (bytes + most - 1) / most
        let mebibyte: UInt64 = 1 << 20
        let whole = (least + mebibyte - 1) / mebibyte * mebibyte
        self.bytes = bytes
        partBytes = min(max(preferred, whole, Self.partBytesMin), Self.partBytesMax)
    }

    /// How many parts there are.
    public var count: Int { Int(clamping: (bytes + partBytes - 1) / partBytes) }

    /// Which bytes of the object part `number` has; nil where there is no such part.
    public func range(_ number: Int) -> Range<UInt64>? {
        guard (1...count).contains(number) else { return nil }
        let start = UInt64(number - 1) * partBytes
        return start..<min(start + partBytes, bytes)
    }
}
