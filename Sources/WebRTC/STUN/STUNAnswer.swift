internal import CDatagrams

/// What a connectivity check is answered with (RFC 8489, 6.3; RFC 8445, 7.3), signed as the check was. A value of a fixed size.
struct STUNAnswer {
    /// Which answer it is.
    enum Kind {
        /// The check came from this address.
        case success(vigil_endpoint)
        /// Both ends take themselves for the controlled one.
        case roleConflict
        /// The check has an attribute that is not known.
        case unknown(UInt16)
    }

    /// The most bytes of an answer.
    static let bytesMax = 128

    /// Writes the answer to `request` into `bytes`, which hold `bytesMax` at least; gives its size.
    static func write(
        _ kind: Kind, to request: STUNMessage, _ key: [UInt8], into bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
        var writer = Writer(bytes: bytes)
        let type: UInt16 = if case .success = kind { 0x0101 } else { 0x0111 }
        writer.put(type)
        writer.put(UInt16(0))
        writer.put(STUNMessage.cookie)
        writer.put(UInt32(truncatingIfNeeded: request.transaction.first >> 32))
        writer.put(UInt32(truncatingIfNeeded: request.transaction.first))
        writer.put(request.transaction.last)
        switch kind {
        case .success(let endpoint): writer.put(endpoint, request.transaction)
        case .roleConflict: writer.put(error: 487, "Role Conflict")
        case .unknown(let attribute):
            writer.put(error: 420, "Unknown Attribute")
            writer.put(STUNMessage.Attribute.unknown)
            writer.put(UInt16(2))
            writer.put(attribute)
            writer.put(UInt16(0))
        }
        writer.sign(key)
        return writer.count
    }
}

/// Writes numbers in network order, one after another.
private struct Writer {
    let bytes: UnsafeMutableRawBufferPointer
    var count = 0

    mutating func put(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    mutating func put(_ number: UInt16) {
        put(UInt8(truncatingIfNeeded: number >> 8))
        put(UInt8(truncatingIfNeeded: number))
    }

    mutating func put(_ number: UInt32) {
        put(UInt16(truncatingIfNeeded: number >> 16))
        put(UInt16(truncatingIfNeeded: number))
    }

    /// XOR-MAPPED-ADDRESS (RFC 8489, 14.2).
    mutating func put(_ endpoint: vigil_endpoint, _ transaction: (first: UInt64, last: UInt32)) {
        let address = endpoint.bytes
        let isFour = endpoint.isFour
        put(STUNMessage.Attribute.xorMappedAddress)
        put(isFour ? UInt16(8) : 20)
        put(isFour ? UInt16(1) : 2)
        put(endpoint.port ^ UInt16(truncatingIfNeeded: STUNMessage.cookie >> 16))
        let mask = [
            STUNMessage.cookie, UInt32(truncatingIfNeeded: transaction.first >> 32),
            UInt32(truncatingIfNeeded: transaction.first), transaction.last,
        ]
        let start = isFour ? 12 : 0
        for index in start..<16 {
            let word = mask[(index - start) / 4]
            put(address[index] ^ UInt8(truncatingIfNeeded: word >> UInt32(24 - (index - start) % 4 * 8)))
        }
    }

    /// ERROR-CODE; the words are ASCII.
    mutating func put(error code: Int, _ words: String) {
        put(STUNMessage.Attribute.errorCode)
        put(UInt16(clamping: 4 + words.utf8.count))
        put(UInt16(0))
        put(UInt8(clamping: code / 100))
        put(UInt8(clamping: code % 100))
        for byte in words.utf8 { put(byte) }
        while count % 4 != 0 { put(UInt8(0)) }
    }

    /// Puts MESSAGE-INTEGRITY and FINGERPRINT behind what is there.
    mutating func sign(_ key: [UInt8]) {
        setLength(count + 24)
        let sum = MessageIntegrity.sum(UnsafeRawBufferPointer(rebasing: bytes[..<count]), key)
        put(STUNMessage.Attribute.integrity)
        put(UInt16(clamping: MessageIntegrity.bytes))
        withUnsafeBytes(of: sum) { sum in for byte in sum.prefix(MessageIntegrity.bytes) { put(byte) } }
        setLength(count + 8)
        let check = CRC32.sum(UnsafeRawBufferPointer(rebasing: bytes[..<count])) ^ STUNMessage.fingerprintMask
        put(STUNMessage.Attribute.fingerprint)
        put(UInt16(4))
        put(check)
    }

    private func setLength(_ count: Int) {
        bytes[2] = UInt8(truncatingIfNeeded: (count - STUNMessage.headBytes) >> 8)
        bytes[3] = UInt8(truncatingIfNeeded: count - STUNMessage.headBytes)
    }
}
