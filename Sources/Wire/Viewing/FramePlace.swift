/// What stands behind a head whose content is `memory`: 12 bytes, in each number the most significant byte first. What was shared before
/// is over.
public struct FrameMemoryLayout: Hashable, Sendable {
    /// How many slots the memory has, from its begin.
    public var slots: UInt32
    /// How long each is.
    public var slotBytes: UInt32
    /// The number of the first slot; each of the others has the next one, after 255 comes 0.
    public var first: UInt32

    /// A layout.
    public init(slots: Int, slotBytes: Int, first: UInt8) {
        (self.slots, self.slotBytes, self.first) = (
            UInt32(clamping: slots), UInt32(clamping: slotBytes), UInt32(clamping: first)
        )
    }

    /// As it is sent.
    public var bytes: [UInt8] { BigEndian.bytes([slots, slotBytes, first]) }
}

/// What stands behind a head whose content is `slot`: 8 bytes. The reader gives the slot back with one byte, its number.
public struct FramePlace: Hashable, Sendable {
    /// The number of the slot, 0…255.
    public var number: UInt32
    /// How long the frame is.
    public var count: UInt32

    /// A place.
    public init(number: UInt8, count: Int) {
        (self.number, self.count) = (UInt32(clamping: number), UInt32(clamping: count))
    }

    /// As it is sent.
    public var bytes: [UInt8] { BigEndian.bytes([number, count]) }
}

private enum BigEndian {
    static func bytes(_ numbers: [UInt32]) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
}
