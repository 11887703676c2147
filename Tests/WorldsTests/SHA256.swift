import Foundation

/// SHA-256 (FIPS 180-4), for the digests of large graphs.
enum SHA256 {
    /// The first 64 primes.
    private static let primes = (2...311).filter { n in !(2..<n).contains { n % $0 == 0 } }
    /// The first 32 bits of the fractions of the square roots of the first 8 primes.
    private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    /// The same of the cube roots of all 64.
    private static let constants = primes.map { fraction(cbrt(Double($0))) }

    private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

    /// The digest of the text in UTF-8, as 64 hexadecimal digits.
    static func hex(_ text: String) -> String {
        var message = Array(text.utf8)
        let bits = UInt64(message.count) * 8
        message.append(0x80)
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
        var hash = initial
        message.withUnsafeBufferPointer { bytes in
            constants.withUnsafeBufferPointer { constants in
                for block in stride(from: 0, to: bytes.count, by: 64) { compress(bytes, block, constants, &hash) }
            }
        }
        return hash.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// One block of 64 bytes. Plain shifts and no arrays inside the loops: a test is built without optimization.
    private static func compress(
        _ bytes: UnsafeBufferPointer<UInt8>, _ block: Int, _ constants: UnsafeBufferPointer<UInt32>,
        _ hash: inout [UInt32]
    ) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            for i in 0..<16 {
                let at = block + 4 * i
                let high = UInt32(bytes[at]) &<< 24 | UInt32(bytes[at + 1]) &<< 16
                words.initializeElement(at: i, to: high | UInt32(bytes[at + 2]) &<< 8 | UInt32(bytes[at + 3]))
            }
            for i in 16..<64 {
                let x = words[i - 15], y = words[i - 2]
                let s0 = rotate(x, 7) ^ rotate(x, 18) ^ x &>> 3
                let s1 = rotate(y, 17) ^ rotate(y, 19) ^ y &>> 10
                words.initializeElement(at: i, to: words[i - 16] &+ s0 &+ words[i - 7] &+ s1)
            }
            var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
            var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
            for i in 0..<64 {
                let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
                let first = h &+ s1 &+ (e & f ^ ~e & g) &+ constants[i] &+ words[i]
                let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
                let second = s0 &+ (a & b ^ a & c ^ b & c)
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            }
            for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { hash[i] = hash[i] &+ word }
        }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 - count) }
}
