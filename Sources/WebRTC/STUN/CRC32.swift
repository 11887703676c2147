/// The sum of ITU-T V.42 that FINGERPRINT holds (RFC 8489, 14.7).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(truncatingIfNeeded: index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }

    /// The sum of `bytes`.
    static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }
}
