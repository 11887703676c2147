/// Which bytes of an encrypted track file hold which bytes of the plain one. Both are a header and the same fragments in the
/// same order, at other places and with other sizes.
public struct EncryptedTrackMap: Hashable, Sendable {
    /// A part that is encrypted and decrypted as a whole: the header, or one fragment.
    public struct Part: Hashable, Sendable {
        /// The fragment's place in both indexes, from 0; nil for the header.
        public let fragment: Int?
        /// Its bytes in the plain file.
        public let plain: Range<UInt64>
        /// Its bytes in the encrypted file.
        public let encrypted: Range<UInt64>
    }

    /// Where the fragments of the plain file are.
    public private(set) var plain: FragmentIndex
    /// Where those of the encrypted file are: the same entries with other offsets and sizes.
    public private(set) var encrypted: FragmentIndex

    /// A file of which no fragment is known yet; `append` adds them. Timescale, priming and the size of the plain header are
    /// those of `index`, whose entries do not count.
    public init(of index: FragmentIndex, encryptedHeaderBytes: UInt64) {
        plain = FragmentIndex(
            timescale: index.timescale, primingTicks: index.primingTicks, headerBytes: index.headerBytes)
        encrypted = FragmentIndex(
            timescale: index.timescale, primingTicks: index.primingTicks, headerBytes: encryptedHeaderBytes)
    }

    /// From the two indexes of a description; nil where they are not of one file: another number of fragments, other times,
    /// or fragments that do not follow each other without a hole.
    public init?(plain: FragmentIndex, encrypted: FragmentIndex) {
        var map = EncryptedTrackMap(of: plain, encryptedHeaderBytes: encrypted.headerBytes)
        for (entry, other) in zip(plain.entries, encrypted.entries) {
            guard map.append(entry, encryptedBytes: other.size) else { return nil }
        }
        guard map.plain == plain, map.encrypted == encrypted else { return nil }
        self = map
    }

    /// Adds the next fragment: its entry in the plain index, and the size that `TrackEncryption` gives it. False, and nothing
    /// added, where the entry does not begin where the one before ends, is empty, or the end is beyond 2^63 - 1.
    public mutating func append(_ entry: FragmentIndex.Entry, encryptedBytes size: UInt64) -> Bool {
        let start = encryptedBytes
        let (end, overflow) = start.addingReportingOverflow(size)
        guard !overflow, end <= UInt64(Int64.max), entry.endOffset <= UInt64(Int64.max), entry.offset == plainBytes,
            entry.size > 0, size > 0
        else { return false }
        plain.entries.append(entry)
        encrypted.entries.append(
            FragmentIndex.Entry(
                offset: start, size: size, decodeTime: entry.decodeTime, durationTicks: entry.durationTicks,
                sampleCount: entry.sampleCount, startsWithKey: entry.startsWithKey,
                damagedCount: entry.damagedCount))
        return true
    }

    /// Bytes of the plain file up to the end of the last fragment.
    public var plainBytes: UInt64 { plain.entries.last?.endOffset ?? plain.headerBytes }
    /// Bytes of the encrypted file up to the end of the last fragment.
    public var encryptedBytes: UInt64 { encrypted.entries.last?.endOffset ?? encrypted.headerBytes }

    /// The parts that hold the bytes `range` of the plain file, in order; what lies beyond the file is left out.
    public func parts(ofPlain range: Range<UInt64>) -> [Part] { parts(range, in: plain) }

    /// The parts that hold the bytes `range` of the encrypted file, in order; what lies beyond the file is left out.
    public func parts(ofEncrypted range: Range<UInt64>) -> [Part] { parts(range, in: encrypted) }

    private func parts(_ range: Range<UInt64>, in index: FragmentIndex) -> [Part] {
        guard !range.isEmpty else { return [] }
        var parts: [Part] = []
        if range.lowerBound < index.headerBytes {
            parts.append(
                Part(fragment: nil, plain: 0..<plain.headerBytes, encrypted: 0..<encrypted.headerBytes))
        }
        // The first fragment that ends after the begin of the range.
        var (low, high) = (0, index.entries.count)
        while low < high {
            let middle = (low + high) / 2
            if index.entries[middle].endOffset <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        for number in low..<index.entries.count {
            guard index.entries[number].offset < range.upperBound else { break }
            let (plain, encrypted) = (plain.entries[number], encrypted.entries[number])
            parts.append(
                Part(
                    fragment: number, plain: plain.offset..<plain.endOffset,
                    encrypted: encrypted.offset..<encrypted.endOffset))
        }
        return parts
    }
}
