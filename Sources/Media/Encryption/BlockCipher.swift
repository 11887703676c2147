internal import CGnuTLS

/// AES-128 in CBC mode over ranges of bytes, in place, each of which begins with the same initialisation vector. By GnuTLS,
/// which uses the processor's instructions for it. Used from one thread at a time.
final class BlockCipher {
    /// Bytes of a block.
    static let blockBytes = 16
    /// Of this many blocks of a range with a pattern, the first is encrypted (ISO/IEC 23001-7 clause 10.4.2: 1:9).
    static let patternBlocks = 10
    /// How many blocks are gathered at once.
    private static let gatheredMax = 4_096

    private let operation: EncryptionError.Operation
    private let handle: gnutls_cipher_hd_t
    private var initialisationVector: [UInt8]
    private let gathered: UnsafeMutableRawBufferPointer

    /// - Throws: `library` where GnuTLS has no such cipher, or no memory.
    init(_ key: MediaKey, _ operation: EncryptionError.Operation) throws(EncryptionError) {
        var handle: gnutls_cipher_hd_t?
        let code = withDatum(key.key) { keyDatum in
            withDatum(key.initialisationVector) { vector in
                gnutls_cipher_init(&handle, GNUTLS_CIPHER_AES_128_CBC, keyDatum, vector)
            }
        }
        guard code >= 0, let handle else { throw EncryptionError(operation, "media", .library(code)) }
        self.operation = operation
        self.handle = handle
        initialisationVector = key.initialisationVector
        gathered = .allocate(byteCount: Self.gatheredMax * Self.blockBytes, alignment: Self.blockBytes)
    }

    deinit {
        gnutls_cipher_deinit(handle)
        gathered.deallocate()
    }

    /// Encrypts or decrypts a range. With `pattern` the first of each ten blocks, else all; what is no whole block at
    /// its end stays.
    func apply(to range: UnsafeMutableRawBufferPointer, pattern: Bool) throws(EncryptionError) {
        let blocks = range.count / Self.blockBytes
        guard blocks > 0 else { return }
        initialisationVector.withUnsafeMutableBytes {
            gnutls_cipher_set_iv(handle, $0.baseAddress, $0.count)
        }
        guard pattern else {
            return try run(UnsafeMutableRawBufferPointer(rebasing: range.prefix(blocks * Self.blockBytes)))
        }
        let stride = Self.patternBlocks * Self.blockBytes
        var left = (blocks + Self.patternBlocks - 1) / Self.patternBlocks
        var place = 0
        while left > 0 {
            let count = min(left, Self.gatheredMax)
            for number in 0..<count {
                let block = range.loadUnaligned(fromByteOffset: place + number * stride, as: SIMD16<UInt8>.self)
                gathered.storeBytes(of: block, toByteOffset: number * Self.blockBytes, as: SIMD16<UInt8>.self)
            }
            try run(UnsafeMutableRawBufferPointer(rebasing: gathered.prefix(count * Self.blockBytes)))
            for number in 0..<count {
                let block = gathered.load(fromByteOffset: number * Self.blockBytes, as: SIMD16<UInt8>.self)
                range.storeBytes(of: block, toByteOffset: place + number * stride, as: SIMD16<UInt8>.self)
            }
            place += count * stride
            left -= count
        }
    }

    private func run(_ bytes: UnsafeMutableRawBufferPointer) throws(EncryptionError) {
        let code =
            switch operation {
            case .encrypt: gnutls_cipher_encrypt(handle, bytes.baseAddress, bytes.count)
            case .decrypt: gnutls_cipher_decrypt(handle, bytes.baseAddress, bytes.count)
            }
        guard code >= 0 else { throw EncryptionError(operation, "media", .library(code)) }
    }
}

/// The bytes as GnuTLS takes them; it does not write to them.
func withDatum<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result {
    var copy = bytes
    return copy.withUnsafeMutableBufferPointer { buffer in
        var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(clamping: buffer.count))
        return body(&datum)
    }
}
