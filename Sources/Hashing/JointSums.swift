internal import CHashing

/// Several sums of the same bytes in one reading, which takes about as long as the slowest of them: of the whole SHA-256, of each of
/// the parts that it is divided into CRC-32C and, where they are wanted, a SHA-256 of its own and MD5, of the parts or of the whole.
package struct JointSums: Sendable {
    /// What MD5 is made of.
    package enum MD5Of: Sendable, Hashable { case nothing, whole, parts }

    /// The sums of one part.
    package struct Part: Sendable, Hashable {
        /// Its length in bytes.
        package let bytes: UInt64
        package let crc32c: UInt32
        /// Nil where it is not wanted.
        package let sha256: SHA256.Value?
        /// Nil where it is not wanted.
        package let md5: [UInt8]?

        package init(bytes: UInt64, crc32c: UInt32, sha256: SHA256.Value?, md5: [UInt8]?) {
            (self.bytes, self.crc32c, self.sha256, self.md5) = (bytes, crc32c, sha256, md5)
        }
    }

    private let md5Of: MD5Of
    private let isPlain: Bool
    private var whole: SHA256
    private var md5: MD5?
    private var part: SHA256?
    private var crc32c: CRC32C
    private var bytes: UInt64 = 0

    /// Nothing taken in. `isPlain` leaves the processor's own instructions aside, which changes nothing but the time.
    package init(md5 md5Of: MD5Of, partSHA256: Bool, isPlain: Bool = false) {
        (self.md5Of, self.isPlain) = (md5Of, isPlain)
        (whole, crc32c) = (SHA256(isPlain: isPlain), CRC32C(isPlain: isPlain))
        md5 = md5Of == .nothing ? nil : MD5()
        part = partSHA256 ? SHA256(isPlain: isPlain) : nil
    }

    /// Takes bytes in.
    package mutating func update(_ more: UnsafeBufferPointer<UInt8>) {
        bytes &+= UInt64(more.count)
        let blocks = UnsafeBufferPointer(rebasing: more[..<(more.count - more.count % 64)])
        let rest = takeAtOnce(blocks) ? UnsafeBufferPointer(rebasing: more[blocks.count...]) : more
        if rest.isEmpty { return }
        crc32c.update(rest)
        whole.update(rest)
        md5?.update(rest)
        part?.update(rest)
    }

    /// Ends a part; what comes next begins another one.
    package mutating func endPart() -> Part {
        let made = Part(
            bytes: bytes, crc32c: crc32c.value, sha256: part.map { $0.finish() },
            md5: md5Of == .parts ? md5.map { $0.finish() } : nil)
        (bytes, crc32c) = (0, CRC32C(isPlain: isPlain))
        if part != nil { part = SHA256(isPlain: isPlain) }
        if md5Of == .parts { md5 = MD5() }
        return made
    }

    /// The digest of all that was taken in, and its MD5 where that is wanted.
    package consuming func finish() -> (sha256: SHA256.Value, md5: [UInt8]?) {
        (whole.finish(), md5Of == .whole ? md5.map { $0.finish() } : nil)
    }

    /// Takes whole blocks into all sums at once; false where nothing was done, because one of them is in the middle of a block or the
    /// processor has no instructions for it.
    private mutating func takeAtOnce(_ blocks: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isPlain, !blocks.isEmpty, whole.buffer.isAtBlock, md5?.buffer.isAtBlock ?? true,
            part?.buffer.isAtBlock ?? true
        else { return false }
        var (first, second, third) = (md5?.state ?? SIMD4(), whole.hash, part?.hash ?? SIMD8())
        let (hasMD5, hasPart) = (md5 != nil, part != nil)
        let isDone = withUnsafeMutableBytes(of: &first) { first in
            withUnsafeMutableBytes(of: &second) { second in
                withUnsafeMutableBytes(of: &third) { third in
                    SHA256.constants.withUnsafeBufferPointer { constants in
                        vigil_sums(
                            hasMD5 ? first.assumingMemoryBound(to: UInt32.self).baseAddress : nil,
                            second.assumingMemoryBound(to: UInt32.self).baseAddress,
                            hasPart ? third.assumingMemoryBound(to: UInt32.self).baseAddress : nil,
                            constants.baseAddress, &crc32c.state, blocks.baseAddress, blocks.count / 64)
                    }
                }
            }
        }
        guard isDone else { return false }
        whole.hash = second
        whole.buffer.skip(blocks.count)
        if hasMD5 { md5?.state = first }
        md5?.buffer.skip(blocks.count)
        if hasPart { part?.hash = third }
        part?.buffer.skip(blocks.count)
        return true
    }
}
