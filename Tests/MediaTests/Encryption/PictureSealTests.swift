import Hashing
import Testing

@testable import Media

@Suite struct PictureSealTests {
    private static let key = [UInt8](0..<16)
    private static let nonce = [UInt8](0..<12)

    @Test("A picture is sealed and opened, of any size", arguments: [0, 1, 15, 16, 17, 100_000])
    func roundTrip(size: Int) throws {
        let picture = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let sealed = try PictureSeal.seal(picture, key: Self.key, nonce: Self.nonce)
        #expect(sealed.count == size + PictureSeal.overheadBytes)
        #expect(sealed.starts(with: Array("VGP1".utf8) + Self.nonce))
        #expect(try PictureSeal.open(sealed, key: Self.key) == picture)
        #expect(try PictureSeal.seal(picture, key: Self.key, nonce: Self.nonce) == sealed)
    }

    @Test("It is AES-128-GCM as Python's cryptography has it")
    func known() throws {
        // AESGCM(bytes(range(16))).encrypt(bytes(range(12)), b"picture", b"VGP1")
        let sealed = try PictureSeal.seal(Array("picture".utf8), key: Self.key, nonce: Self.nonce)
        #expect(Hex.text(sealed.dropFirst(16)) == "e305c4ba13699283edfcf95630ced23ba3a61ed63d5b2c")
    }

    @Test("Another key and every changed byte are noticed")
    func changed() throws {
        let sealed = try PictureSeal.seal([1, 2, 3], key: Self.key, nonce: Self.nonce)
        let other = #expect(throws: EncryptionError.self) {
            try PictureSeal.open(sealed, key: [UInt8](repeating: 1, count: 16))
        }
        #expect(other?.cause == .notAuthentic)
        for place in sealed.indices {
            var damaged = sealed
            damaged[place] ^= 1
            let error = #expect(throws: EncryptionError.self) { try PictureSeal.open(damaged, key: Self.key) }
            #expect(error?.cause == (place < 4 ? .malformed("it is no sealed picture") : .notAuthentic))
        }
        for count in 0..<sealed.count {
            #expect(throws: EncryptionError.self) { try PictureSeal.open(Array(sealed.prefix(count)), key: Self.key) }
        }
        #expect(throws: EncryptionError.self) { try PictureSeal.seal([1], key: [1], nonce: Self.nonce) }
        #expect(throws: EncryptionError.self) { try PictureSeal.open(sealed, key: [1]) }
    }
}
