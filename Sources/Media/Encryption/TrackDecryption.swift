/// Turns the encrypted fragments of a track file back into the plain ones, byte for byte. What is read is foreign: anything
/// that `TrackEncryption` did not make is an error or gives other bytes, never a trap. `cbcs` does not authenticate: whoever
/// needs to know that the media is whole compares digests.
public struct TrackDecryption: Sendable {
    /// The plain header: `ftyp` and `moov`.
    public let header: [UInt8]
    private let track: TrackCipher

    /// For the track file whose encrypted header this is.
    ///
    /// - Throws: `malformed` for a damaged header; `unsupported` for one that is not encrypted as Vigil does it;
    ///   `otherKey` where it names another key than `key`.
    public init(encryptedHeader: [UInt8], key: MediaKey) throws(EncryptionError) {
        header = try EncryptedHeader.decrypt(encryptedHeader, key)
        track = try TrackCipher(header: header, key: key, .decrypt)
    }

    /// For the track file whose plain header this is.
    ///
    /// - Throws: as `TrackEncryption.init(header:key:)`.
    public init(header: [UInt8], key: MediaKey) throws(EncryptionError) {
        self.header = header
        track = try TrackCipher(header: header, key: key, .decrypt)
    }

    /// The plain bytes of a whole encrypted fragment.
    ///
    /// - Throws: `malformed` for what is no whole fragment, or whose encrypted ranges do not lie in its samples;
    ///   `unsupported` for one that `TrackEncryption` does not make; `library` where GnuTLS refuses.
    public func decrypt(fragment: [UInt8]) throws(EncryptionError) -> [UInt8] {
        var (bytes, ranges) = try track.plainForm(of: fragment)
        try track.apply(.decrypt, to: &bytes, ranges)
        return bytes
    }
}
