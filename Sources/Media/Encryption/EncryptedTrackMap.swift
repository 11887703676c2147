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

    /// A file of which no fragment is known yet: `plain` and `encrypted` are the two headers.
    ///
    /// `append` adds its fragments; timescale and priming are those of `index`, whose entries do not count.
    public init(of index: FragmentIndex, encryptedHeaderBytes: UInt64) {
        plain = FragmentIndex(
            timescale: index.timescale, primingTicks: index.primingTicks, headerBytes: index.headerBytes)
        encrypted = FragmentIndex(
            timescale: index.timescale, primingTicks: index.primingTicks, headerBytes: encryptedHeaderBytes)
    }

    /// From the two indexes of a description; nil where they are not of one file: another number of fragments, other times,
    /// or fragments that do not follow each other without a hole.
    public init?(plain: FragmentIndex, encrypted: FragmentIndex) { return nil }

    /// Adds the next fragment: its entry in the plain index, and the size that `TrackEncryption` gives it. False, and nothing
    /// added, where the entry does not follow the one before without a hole.
    public mutating func append(_ entry: FragmentIndex.Entry, encryptedBytes: UInt64) -> Bool { false }

    /// Bytes of the plain file up to the end of the last fragment.
    public var plainBytes: UInt64 { plain.entries.last?.endOffset ?? plain.headerBytes }
    /// Bytes of the encrypted file up to the end of the last fragment.
    public var encryptedBytes: UInt64 { encrypted.entries.last?.endOffset ?? encrypted.headerBytes }

    /// The parts that hold the bytes `range` of the plain file, in order; what lies beyond the file is left out.
    public func parts(ofPlain range: Range<UInt64>) -> [Part] { [] }

    /// The parts that hold the bytes `range` of the encrypted file, in order; what lies beyond the file is left out.
    public func parts(ofEncrypted range: Range<UInt64>) -> [Part] { [] }
}
