/// A message of STUN (RFC 8489) with the attributes that connectivity checks carry (RFC 8445, 16.1). Read without allocating:
/// anybody may send one.
struct STUNMessage {
    /// The type of a request for a binding.
    static let bindingRequest: UInt16 = 0x0001
    /// The first bytes of the third to sixth byte of every message.
    static let cookie: UInt32 = 0x2112_A442
    /// The bytes before the attributes.
    static let headBytes = 20
    /// The most attributes that are looked at.
    static let attributesMax = 32
    /// What FINGERPRINT is exclusive-ored with.
    static let fingerprintMask: UInt32 = 0x5354_554E

    /// The attributes that are known here.
    enum Attribute {
        static let mappedAddress: UInt16 = 0x0001
        static let username: UInt16 = 0x0006
        static let integrity: UInt16 = 0x0008
        static let errorCode: UInt16 = 0x0009
        static let unknown: UInt16 = 0x000A
        static let xorMappedAddress: UInt16 = 0x0020
        static let priority: UInt16 = 0x0024
        static let useCandidate: UInt16 = 0x0025
        static let fingerprint: UInt16 = 0x8028
        static let controlled: UInt16 = 0x8029
    }

    /// Its type: class and method.
    let type: UInt16
    /// The twelve bytes that its answer repeats.
    let transaction: (first: UInt64, last: UInt32)
    /// Where the value of USERNAME is.
    private(set) var username: Range<Int>?
    /// Where MESSAGE-INTEGRITY begins, its head included; what comes after it but FINGERPRINT is not looked at.
    private(set) var integrity: Int?
    /// Whether its sender chooses the path on which it came.
    private(set) var isNominating = false
    /// Whether its sender takes itself for the controlled agent.
    private(set) var isControlled = false
    /// An attribute that has to be understood and is not known here.
    private(set) var unknown: UInt16?

    /// Reads a datagram; nil where it is no message of STUN, a damaged one, or has a wrong FINGERPRINT.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headBytes, bytes[0] < 4, Int(bytes.uint16(2)) == bytes.count - Self.headBytes,
            bytes.count % 4 == 0, bytes.uint32(4) == Self.cookie
        else { return nil }
        type = bytes.uint16(0)
        transaction = (UInt64(bytes.uint32(8)) << 32 | UInt64(bytes.uint32(12)), bytes.uint32(16))
        var (place, count) = (Self.headBytes, 0)
        while place < bytes.count {
            count += 1
            guard count <= Self.attributesMax, bytes.count - place >= 4 else { return nil }
            let (kind, size) = (bytes.uint16(place), Int(bytes.uint16(place + 2)))
            // Each is filled up to a multiple of four bytes; the message is one itself.
            guard bytes.count - place - 4 >= size else { return nil }
            let value = place + 4..<place + 4 + size
            guard take(kind, value, bytes) else { return nil }
            place = value.upperBound + (4 - size % 4) % 4
        }
    }

    private mutating func take(_ kind: UInt16, _ value: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        if kind == Attribute.fingerprint {
            // It is the last one.
            guard value.count == 4, value.upperBound == bytes.count else { return false }
            let sum = CRC32.sum(UnsafeRawBufferPointer(rebasing: bytes[..<(value.lowerBound - 4)]))
            return bytes.uint32(value.lowerBound) == sum ^ Self.fingerprintMask
        }
        guard integrity == nil else { return true }
        switch kind {
        case Attribute.username: username = value
        case Attribute.integrity:
            guard value.count == MessageIntegrity.bytes else { return false }
            integrity = value.lowerBound - 4
        case Attribute.useCandidate: isNominating = true
        case Attribute.controlled: isControlled = true
        case Attribute.priority, Attribute.mappedAddress, Attribute.xorMappedAddress, Attribute.errorCode: break
        default: if kind < 0x8000, unknown == nil { unknown = kind }
        }
        return true
    }

    /// Whether `key` has signed the message.
    func isSigned(_ key: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let integrity, integrity + 4 + MessageIntegrity.bytes <= bytes.count else { return false }
        let told = UnsafeRawBufferPointer(rebasing: bytes[(integrity + 4)..<(integrity + 4 + MessageIntegrity.bytes)])
        return withUnsafeTemporaryAllocation(byteCount: integrity, alignment: 8) { copy in
            copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<integrity]))
            // The sum is made as if nothing followed it.
            let length = integrity + 4 + MessageIntegrity.bytes - Self.headBytes
            copy[2] = UInt8(truncatingIfNeeded: length >> 8)
            copy[3] = UInt8(truncatingIfNeeded: length)
            return MessageIntegrity.isEqual(MessageIntegrity.sum(UnsafeRawBufferPointer(copy), key), told)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number of two bytes in network order at `place`, which lies within the bytes.
    func uint16(_ place: Int) -> UInt16 { UInt16(self[place]) << 8 | UInt16(self[place + 1]) }

    /// The number of four bytes in network order at `place`, which lies within the bytes.
    func uint32(_ place: Int) -> UInt32 { UInt32(uint16(place)) << 16 | UInt32(uint16(place + 2)) }
}
