import RandomSource
import Testing

@testable import Media

@Suite struct DamagedEncryptionTests {
    @Test("Another key is told from the header, with both keys named")
    func otherKey() throws {
        let file = try EncryptedFile(try EncryptedMedia.stream("h264"))
        let zeros = [UInt8](repeating: 0, count: 16)
        let other = try #require(MediaKey(key: zeros, initialisationVector: zeros, identifier: zeros))
        let error = #expect(throws: EncryptionError.self) {
            try TrackDecryption(encryptedHeader: file.encryption.header, key: other)
        }
        let needed = "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf"
        #expect(error?.cause == .otherKey(needed: needed, given: "00000000-0000-0000-0000-000000000000"))
        #expect(error?.description.contains(needed) == true)
    }

    @Test("What is encrypted already, or is not, is refused")
    func twice() throws {
        let key = try #require(EncryptedFile.key)
        for name in ["h264", "aac"] {
            let file = try EncryptedFile(try EncryptedMedia.stream(name))
            let decryption = try TrackDecryption(header: file.plainHeader, key: key)
            #expect(throws: EncryptionError.self) { try TrackEncryption(header: file.encryption.header, key: key) }
            #expect(throws: EncryptionError.self) { try TrackDecryption(encryptedHeader: file.plainHeader, key: key) }
            guard name == "h264" else { continue }
            #expect(throws: EncryptionError.self) { try file.encryption.encrypt(fragment: file.fragments[0]) }
            #expect(throws: EncryptionError.self) { try decryption.decrypt(fragment: file.plainFragments[0]) }
        }
    }

    @Test("A fragment of another file, or none, is refused")
    func foreign() throws {
        let key = try #require(EncryptedFile.key)
        let video = try EncryptedFile(try EncryptedMedia.stream("h264"))
        let sound = try EncryptedFile(try EncryptedMedia.stream("aac"))
        let decryption = try TrackDecryption(header: sound.plainHeader, key: key)
        #expect(throws: EncryptionError.self) { try decryption.decrypt(fragment: video.fragments[0]) }
        for bytes in [
            [], [0], Array(video.fragments[0].dropLast()), video.fragments[0] + [0],
            video.fragments[0] + video.fragments[1],
        ] {
            #expect(throws: EncryptionError.self) { try video.encryption.encrypt(fragment: bytes) }
            #expect(throws: EncryptionError.self) { try decryption.decrypt(fragment: bytes) }
        }
        #expect(throws: EncryptionError.self) { try TrackEncryption(header: video.plainFragments[0], key: key) }
        #expect(throws: EncryptionError.self) { try TrackEncryption(header: video.plain, key: key) }
    }

    @Test(
        "Damaged headers and fragments are refused or give other bytes, and what is encrypted can be turned back",
        arguments: ["h264", "h265", "aac"])
    func damaged(name: String) throws {
        let key = try #require(EncryptedFile.key)
        let file = try EncryptedFile(try EncryptedMedia.stream(name))
        let decryption = try TrackDecryption(header: file.plainHeader, key: key)
        var random = SeededGenerator(seed: 7)
        var (encrypted, decrypted) = (0, 0)
        for round in 0..<600 {
            let number = round % file.fragments.count
            // What is foreign lies at the begin of a fragment; the media behind it is any bytes as it is.
            let plain = Self.mutated(file.plainFragments[number], &random)
            if let done = try? file.encryption.encrypt(fragment: plain) {
                encrypted += 1
                #expect(try decryption.decrypt(fragment: done) == plain)
            }
            if (try? decryption.decrypt(fragment: Self.mutated(file.fragments[number], &random))) != nil {
                decrypted += 1
            }
            let header = file.plainHeader.mutated(by: &random)
            if let made = try? TrackEncryption(header: header, key: key) {
                #expect(try TrackDecryption(encryptedHeader: made.header, key: key).header == header)
            }
            _ = try? TrackDecryption(encryptedHeader: file.encryption.header.mutated(by: &random), key: key)
        }
        #expect(encrypted > 0 && decrypted > 0 && decrypted < 600)
    }

    @Test("Samples that are no NAL units are encrypted all the same, but for a bounded part")
    func noUnits() throws {
        let configuration = try EncryptedMedia.stream("h264").configuration
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var headers = try #require(SliceHeaders(configuration))
            var samples = EncryptedSamples()
            let bytes = (0..<Int.random(in: 0...600, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let length: [UInt8] = [
                0, 0, UInt8.random(in: 0...4, using: &random), UInt8.random(in: 0...255, using: &random),
            ]
            let sample = length + bytes
            sample.withUnsafeBytes { samples.append($0, &headers) }
            let sum = samples.subsamples.reduce(0) { $0 + Int($1.clear) + Int($1.encrypted) }
            #expect(sum == sample.count)
        }
        var headers = try #require(SliceHeaders(configuration))
        var samples = EncryptedSamples()
        ([0xff, 0xff, 0xff, 0xff] + [UInt8](repeating: 9, count: 400)).withUnsafeBytes { samples.append($0, &headers) }
        #expect(samples.subsamples == [EncryptedSamples.Subsample(clear: 68, encrypted: 336)])
    }

    /// The bytes with changes in the first few hundred.
    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        Array(bytes.prefix(400)).mutated(by: &random) + bytes.dropFirst(400)
    }
}
