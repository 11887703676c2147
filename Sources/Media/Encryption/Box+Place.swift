extension Box {
    /// The place of the whole box in `bytes`, which it was read from; nil unless its size stands in 32 bits, as Vigil writes it.
    func range(in bytes: [UInt8]) -> Range<Int>? {
        let start = contents.startIndex - 8
        guard let size = bytes.number32(at: start), UInt64(size) == UInt64(contents.count) + 8 else { return nil }
        return start..<contents.endIndex
    }
}

extension [UInt8] {
    /// The four bytes at `place`, big endian; nil where they are not all there.
    func number32(at place: Int) -> UInt32? {
        guard place >= 0, place <= count - 4 else { return nil }
        // Turns the bytes of a number round.
        return withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)) }
    }

    /// Adds to the number in the four bytes at `place`, if they are all there; a difference below 0 wraps round.
    mutating func add(_ change: UInt32, at place: Int) {
        guard let value = number32(at: place) else { return }
        withUnsafeMutableBytes {
            $0.storeBytes(of: (value &+ change).bigEndian, toByteOffset: place, as: UInt32.self)
        }
    }
}
