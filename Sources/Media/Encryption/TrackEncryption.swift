/// Encrypts a track file, fragment by fragment, by the scheme `cbcs` of ISO/IEC 23001-7. Any fragment can be encrypted without
/// those before it, and the same bytes and key always give the same result, so that a transfer can go on after a restart.
///
/// `TrackDecryption` turns the result back into the same bytes.
public struct TrackEncryption: Sendable {
    /// What comes before the encrypted fragments, instead of the plain header: `ftyp` and `moov`.
    public let header: [UInt8]

    /// For the track file that begins with `header`: `ftyp` and `moov`, whole, and nothing after them.
    ///
    /// - Throws: `malformed` for a damaged header; `unsupported` for one that is not Vigil's (several tracks or sample entries,
    ///   another codec, encrypted already).
    public init(header: [UInt8], key: MediaKey) throws(EncryptionError) {
        throw EncryptionError(.encrypt, "the header of a track file", .unsupported("not built yet"))
    }

    /// A whole fragment of the file, `prft` (where there is one), `moof` and `mdat`, encrypted.
    ///
    /// - Throws: `malformed` for what is no whole fragment; `unsupported` for one that could not be turned back exactly.
    public func encrypt(fragment: [UInt8]) throws(EncryptionError) -> [UInt8] {
        throw EncryptionError(.encrypt, "a fragment", .unsupported("not built yet"))
    }

    /// How many bytes `encrypt(fragment:)` gives for the same fragment, without encrypting it.
    ///
    /// - Throws: as `encrypt(fragment:)`.
    public func encryptedBytes(ofFragment fragment: [UInt8]) throws(EncryptionError) -> UInt64 {
        throw EncryptionError(.encrypt, "a fragment", .unsupported("not built yet"))
    }
}
