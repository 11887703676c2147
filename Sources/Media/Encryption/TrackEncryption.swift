/// Encrypts a track file, fragment by fragment, by the scheme `cbcs` of ISO/IEC 23001-7. Any fragment can be encrypted without
/// those before it, and the same bytes and key always give the same result, so that a transfer can go on after a restart.
///
/// Video: NAL lengths, NAL headers, slice headers and all units without pictures stay clear; of the rest of each slice the
/// first of each ten blocks of 16 bytes is encrypted. Audio: all whole blocks of each frame are encrypted. `TrackDecryption`
/// turns the result back into the same bytes.
///
/// A fragment's slice headers are read with the parameter sets of the header and those in the fragment itself. Where that does
/// not suffice, the first 64 bytes of a slice stay clear.
public struct TrackEncryption: Sendable {
    /// What comes before the encrypted fragments, instead of the plain header: `ftyp` and `moov`.
    public let header: [UInt8]
    private let track: TrackCipher

    /// For the track file that begins with `header`: `ftyp` and `moov`, whole, and nothing after them.
    ///
    /// - Throws: `malformed` for a damaged header; `unsupported` for one that is not Vigil's (several tracks or sample entries,
    ///   another codec, encrypted already).
    public init(header: [UInt8], key: MediaKey) throws(EncryptionError) {
        track = try TrackCipher(header: header, key: key, .encrypt)
        self.header = try EncryptedHeader.encrypt(header, key)
        guard try EncryptedHeader.decrypt(self.header, key) == header else {
            throw EncryptionError(.encrypt, EncryptedHeader.subject, .unsupported("it could not be turned back"))
        }
    }

    /// A whole fragment of the file, `prft` (where there is one), `moof` and `mdat`, encrypted.
    ///
    /// - Throws: `malformed` for what is no whole fragment; `unsupported` for one that is not Vigil's (another track, samples
    ///   that do not fill `mdat`, more than 1 GiB, encrypted already); `library` where GnuTLS refuses.
    public func encrypt(fragment: [UInt8]) throws(EncryptionError) -> [UInt8] {
        var (bytes, ranges) = try track.encryptedForm(of: fragment)
        try track.apply(.encrypt, to: &bytes, ranges)
        return bytes
    }

    /// How many bytes `encrypt(fragment:)` gives for the same fragment, without encrypting it.
    ///
    /// - Throws: as `encrypt(fragment:)`.
    public func encryptedBytes(ofFragment fragment: [UInt8]) throws(EncryptionError) -> UInt64 {
        UInt64(try track.encryptedBytes(of: fragment))
    }
}
