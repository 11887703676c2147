/// Seals a picture of an event, so that only who has the key can see it, and notices any change: AES-128 in Galois/Counter
/// Mode (NIST SP 800-38D).
///
/// A sealed picture is `VGP1`, the nonce (12 bytes), the encrypted picture, and the tag (16 bytes) over all of it.
public enum PictureSeal {
    /// Bytes of a key.
    public static let keyBytes = 16
    /// Bytes of a nonce.
    public static let nonceBytes = 12
    /// By how many bytes a sealed picture is longer than the picture.
    public static let overheadBytes = 32

    /// A picture, sealed. A nonce must never be used for two different pictures under one key: whoever has both could then
    /// read both. The same picture with the same nonce gives the same bytes, and that does no harm.
    ///
    /// - Throws: `unsupported` for a key or nonce of another length, or a picture of more than 64 MiB.
    public static func seal(_ picture: [UInt8], key: [UInt8], nonce: [UInt8]) throws(EncryptionError) -> [UInt8] {
        throw EncryptionError(.encrypt, "a picture", .unsupported("not built yet"))
    }

    /// The picture that was sealed.
    ///
    /// - Throws: `malformed` for what is no sealed picture; `notAuthentic` for another key, or changed bytes.
    public static func open(_ sealed: [UInt8], key: [UInt8]) throws(EncryptionError) -> [UInt8] {
        throw EncryptionError(.decrypt, "a picture", .unsupported("not built yet"))
    }
}
