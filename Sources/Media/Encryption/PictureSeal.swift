internal import CGnuTLS

/// Seals a picture of an event, so that only who has the key can see it, and notices any change: AES-128 in Galois/Counter
/// Mode (NIST SP 800-38D).
///
/// A sealed picture is `VGP1`, the nonce (12 bytes), the encrypted picture, and the tag (16 bytes) over `VGP1` and the picture.
public enum PictureSeal {
    /// Bytes of a key.
    public static let keyBytes = 16
    /// Bytes of a nonce.
    public static let nonceBytes = 12
    /// By how many bytes a sealed picture is longer than the picture.
    static let overheadBytes = mark.count + nonceBytes + tagBytes

    private static let mark = Array("VGP1".utf8)
    private static let tagBytes = 16
    /// The largest picture, in bytes; one of an event has some hundred thousand.
    private static let pictureBytesMax = 64 << 20
    private static let subject = "a picture"

    /// A picture, sealed. A nonce must never be used for two different pictures under one key: whoever has both could then
    /// read both. The same picture with the same nonce gives the same bytes, and that does no harm.
    ///
    /// - Throws: `unsupported` for a key or nonce of another length, or a picture of more than 64 MiB; `library` where GnuTLS
    ///   refuses.
    public static func seal(_ picture: [UInt8], key: [UInt8], nonce: [UInt8]) throws(EncryptionError) -> [UInt8] {
        guard key.count == keyBytes, nonce.count == nonceBytes else {
            throw EncryptionError(.encrypt, subject, .unsupported("its key or nonce has the wrong length"))
        }
        guard picture.count <= pictureBytesMax else {
            throw EncryptionError(.encrypt, subject, .unsupported("it has \(picture.count) bytes"))
        }
        let sealed = try run(.encrypt, picture, key, nonce, room: picture.count + tagBytes)
        return mark + nonce + sealed
    }

    /// The picture that was sealed.
    ///
    /// - Throws: `malformed` for what is no sealed picture; `notAuthentic` for another key, or changed bytes; `unsupported` for
    ///   a key of another length.
    public static func open(_ sealed: [UInt8], key: [UInt8]) throws(EncryptionError) -> [UInt8] {
        guard key.count == keyBytes else {
            throw EncryptionError(.decrypt, subject, .unsupported("its key has the wrong length"))
        }
        guard sealed.starts(with: mark), sealed.count >= overheadBytes, sealed.count - overheadBytes <= pictureBytesMax
        else { throw EncryptionError(.decrypt, subject, .malformed("it is no sealed picture")) }
        let body = sealed.dropFirst(mark.count)
        return try run(
            .decrypt, Array(body.dropFirst(nonceBytes)), key, Array(body.prefix(nonceBytes)),
            room: sealed.count - overheadBytes)
    }

    /// One call of the cipher; it gives `room` bytes.
    private static func run(
        _ operation: EncryptionError.Operation, _ input: [UInt8], _ key: [UInt8], _ nonce: [UInt8], room: Int
    ) throws(EncryptionError) -> [UInt8] {
        var handle: gnutls_aead_cipher_hd_t?
        let begun = withDatum(key) { gnutls_aead_cipher_init(&handle, GNUTLS_CIPHER_AES_128_GCM, $0) }
        guard begun >= 0, let handle else { throw EncryptionError(operation, subject, .library(begun)) }
        defer { gnutls_aead_cipher_deinit(handle) }
        // One byte more, so that it has an address where the picture is empty.
        var output = [UInt8](repeating: 0, count: room + 1)
        var count = room
        let code =
            switch operation {
            case .encrypt:
                gnutls_aead_cipher_encrypt(
                    handle, nonce, nonce.count, mark, mark.count, tagBytes, input, input.count, &output, &count)
            case .decrypt:
                gnutls_aead_cipher_decrypt(
                    handle, nonce, nonce.count, mark, mark.count, tagBytes, input, input.count, &output, &count)
            }
        guard code >= 0, count == room else {
            let isTag = operation == .decrypt && code == GNUTLS_E_DECRYPTION_FAILED
            throw EncryptionError(operation, subject, isTag ? .notAuthentic : .library(code))
        }
        output.removeLast()
        return output
    }
}
