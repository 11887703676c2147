import Foundation
import Testing

@testable import Media

@Suite struct TrackEncryptionTests {
    @Test("An encrypted track file is turned back byte for byte", arguments: EncryptedMedia.names)
    func roundTrip(name: String) throws {
        let file = try EncryptedFile(try EncryptedMedia.stream(name), clock: 1_700_000_000_123)
        let key = try #require(EncryptedFile.key)
        for decryption in [
            try TrackDecryption(encryptedHeader: file.encryption.header, key: key),
            try TrackDecryption(header: file.plainHeader, key: key),
        ] {
            #expect(decryption.header == file.plainHeader)
            #expect(try file.fragments.map { try decryption.decrypt(fragment: $0) } == file.plainFragments)
        }
        // Any fragment alone, and in another value: nothing is carried from one to the next.
        let again = try TrackEncryption(header: file.plainHeader, key: key)
        for number in file.fragments.indices.reversed() {
            #expect(try again.encrypt(fragment: file.plainFragments[number]) == file.fragments[number])
            let size = try again.encryptedBytes(ofFragment: file.plainFragments[number])
            #expect(size == UInt64(file.fragments[number].count))
        }
    }

    @Test("ffmpeg decodes an encrypted file to the frames of the plain one", arguments: EncryptedMedia.names)
    func decodes(name: String) throws {
        let folder = try Scratch()
        let plain = folder.path("plain.mp4")
        try EncryptedMedia.stream(name).write(plain)
        let file = try EncryptedFile(plain)
        let path = folder.path("encrypted.mp4")
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        let frames = try Self.frames(plain)
        #expect(frames.count > 40)
        #expect(try Self.frames(path, key: EncryptedFile.keyHex) == frames)
        #expect(try Self.frames(path) != frames, "without the key they are not the same")
        let other = String(EncryptedFile.keyHex.reversed())
        #expect(try Self.frames(path, key: other) != frames, "nor with another one")
    }

    @Test(
        "Scanned, an encrypted file has the same fragments at the places that the map tells",
        arguments: ["h264B", "aac"])
    func index(name: String) throws {
        let file = try EncryptedFile(try EncryptedMedia.stream(name), priming: name == "aac" ? 1024 : 0)
        let folder = try Scratch()
        let path = folder.path("encrypted.cmf")
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        var map = EncryptedTrackMap(
            of: file.index, encryptedHeaderBytes: UInt64(file.encryption.header.count))
        for (entry, fragment) in zip(file.index.entries, file.fragments) {
            let isAdded = map.append(entry, encryptedBytes: UInt64(fragment.count))
            #expect(isAdded)
        }
        #expect(map.plain == file.index)
        let scanned = try TrackScanner.scan(path: path)
        #expect(scanned.index == map.encrypted)
        #expect(scanned.tornBytes == 0)
        #expect(map.encryptedBytes == UInt64(file.bytes.count))
        #expect(EncryptedTrackMap(plain: map.plain, encrypted: map.encrypted) == map)
    }

    @Test("Of each slice the first block after its header is encrypted, then each tenth, and nothing else")
    func pattern() throws {
        let file = try EncryptedFile(try EncryptedMedia.stream("slices"))
        let encrypted = try EncryptedFile.parts(file.fragments, header: file.plainHeader)
        let plain = try EncryptedFile.parts(file.plainFragments, header: file.plainHeader)
        var slices = 0
        for (one, other) in zip(encrypted, plain) {
            #expect(one.sample.count == other.sample.count)
            var (place, before) = (one.sample.startIndex, other.sample.startIndex)
            for part in one.parts {
                let clear = Int(part.clear)
                #expect(one.sample[place..<place + clear].elementsEqual(other.sample[before..<before + clear]))
                (place, before) = (place + clear, before + clear)
                slices += part.encrypted > 0 ? 1 : 0
                for block in stride(from: 0, to: Int(part.encrypted), by: 16) {
                    let range = block..<min(block + 16, Int(part.encrypted))
                    let same = range.allSatisfy { one.sample[place + $0] == other.sample[before + $0] }
                    #expect(same == !(block / 16 % 10 == 0 && range.count == 16))
                }
                (place, before) = (place + Int(part.encrypted), before + Int(part.encrypted))
            }
            #expect(place == one.sample.endIndex)
        }
        #expect(slices == 50 * 6)
    }

    @Test("Of each frame of sound all whole blocks are encrypted, and the header has no other size for its fragments")
    func sound() throws {
        let file = try EncryptedFile(try EncryptedMedia.stream("aac"))
        #expect(file.fragments.map(\.count) == file.plainFragments.map(\.count))
        let encrypted = try EncryptedFile.parts(file.fragments, header: file.plainHeader)
        let plain = try EncryptedFile.parts(file.plainFragments, header: file.plainHeader)
        for (one, other) in zip(encrypted, plain) {
            let whole = one.sample.count / 16 * 16
            #expect(one.sample.dropFirst(whole).elementsEqual(other.sample.dropFirst(whole)))
            #expect(one.sample.prefix(whole).elementsEqual(other.sample.prefix(whole)) == (whole == 0))
        }
    }

    @Test("A picture of more slices than saiz can tell has senc alone")
    func manySlices() throws {
        let file = try EncryptedFile(try EncryptedMedia.stream("manySlices"))
        let parts = try EncryptedFile.parts(file.fragments, header: file.plainHeader)
        #expect(parts.contains { $0.parts.count > 42 })
        let text = Array("saiz".utf8)
        for fragment in file.fragments {
            let head = fragment.prefix(fragment.count - file.plainFragments[0].count / 2)
            #expect(!head.indices.dropLast(4).contains { head[$0..<$0 + 4].elementsEqual(text) })
        }
    }

    @Test("The key is named in the header, and shown by no description")
    func naming() throws {
        let key = try #require(EncryptedFile.key)
        #expect(key.uuid == "a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf")
        for text in ["\(key)", String(reflecting: key), "\(Mirror(reflecting: key).children.map(\.value))"] {
            #expect(text.contains(key.uuid))
            #expect(!text.contains("13, 14, 15") && !text.contains(EncryptedFile.keyHex))
        }
        let file = try EncryptedFile(try EncryptedMedia.stream("h264"))
        let header = file.encryption.header
        let count = header.indices.dropLast(15).count { header[$0..<$0 + 16].elementsEqual(key.identifier) }
        #expect(count == 2, "in tenc and in pssh")
        #expect(!header.indices.dropLast(15).contains { header[$0..<$0 + 16].elementsEqual(key.key) })
        #expect(MediaKey(key: [1], initialisationVector: key.identifier, identifier: key.identifier) == nil)
    }

    /// The hash of each decoded frame. A pipe, because ffmpeg 5.1 finds what is encrypted only in a stream that cannot be wound
    /// back, where no index of segments stands before the fragments.
    private static func frames(_ path: String, key: String? = nil) throws -> [String] {
        var arguments = ["-v", "error"]
        if let key { arguments += ["-decryption_key", key] }
        arguments += ["-seekable", "0", "-i", "file:" + path, "-f", "framemd5", "-"]
        return try Tool.run("ffmpeg", arguments, mayFail: true).out.split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.compactMap {
                $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
            }
    }
}
