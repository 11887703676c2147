/// The packets that were sent last, as they went out, for who lost one of them. It takes a fixed amount of memory, most of it
/// when it is used first.
final class PacketHistory {
    /// How many packets are kept: a power of two. Of 8 Mbit/s they are half a second.
    static let packetsMax = 512
    /// The most bytes of a packet, with what protects it.
    static let packetBytes = 1_360
    /// How soon a packet that was sent again is sent once more, at the earliest, in milliseconds.
    static let againMs: Int64 = 5

    private struct Slot {
        var sequence: UInt16 = 0
        var count = 0
        var againMs: Int64 = .min / 2
    }

    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: packetsMax * packetBytes, alignment: 16)
    private var slots = [Slot](repeating: Slot(), count: packetsMax)

    deinit { bytes.deallocate() }

    /// Where the packet of this number is to be written.
    func room(for sequence: UInt16) -> UnsafeMutableRawBufferPointer {
        let begin = Int(sequence) % Self.packetsMax * Self.packetBytes
        return UnsafeMutableRawBufferPointer(rebasing: bytes[begin..<(begin + Self.packetBytes)])
    }

    /// The packet of this number was written there.
    func keep(_ sequence: UInt16, count: Int) {
        slots[Int(sequence) % Self.packetsMax] = Slot(sequence: sequence, count: count)
    }

    /// The packet of this number, which is kept.
    subscript(_ sequence: UInt16) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: room(for: sequence)[..<slots[Int(sequence) % Self.packetsMax].count])
    }

    /// The packet of this number, if it is kept and was not sent again a moment ago.
    func again(_ sequence: UInt16, nowMs: Int64) -> UnsafeRawBufferPointer? {
        let index = Int(sequence) % Self.packetsMax
        let slot = slots[index]
        guard slot.count > 0, slot.sequence == sequence, nowMs - slot.againMs >= Self.againMs else { return nil }
        slots[index].againMs = nowMs
        return self[sequence]
    }
}
