import Catalog
import Cloud
import Foundation
import Machines
import Media
import ObjectStore
import Policies
import Testing

@testable import Daemon

/// Clips as they are encrypted for the store, and as they are read back (docs/design/cloud.md "Encryption").
@Suite("Clips that are encrypted for the store", .serialized)
struct ClipEncryptionTests {
    private static let clip = "clips/front/2026/11/23/20261123T101500.000Z-k3x9"

    /// Bytes of a track file, as they lie in the store.
    private final class Bytes: TrackBytes {
        let path = "video.cmfv"
        let content: [UInt8]

        init(_ content: [UInt8]) { self.content = content }

        func size() -> UInt64 { UInt64(content.count) }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
            guard offset < content.count else { return 0 }
            let part = content[Int(offset)..<min(Int(offset) + buffer.count, content.count)]
            buffer.copyBytes(from: part)
            return part.count
        }
    }

    /// A clip of the demo camera.
    private func written() async throws -> (house: ViewerHouse, clip: ClipID, key: String) {
        let house = try ViewerHouse(mode: "off")
        let frames = try await house.group()
        let clip = try house.write(
            frames + frames.map { $0 }, atMs: ViewerHouse.yesterday().end - 3_600_000, lengthMs: 4_000)
        let path = try #require(try house.running.catalog.clip(clip)?.tracks.first?.path)
        return (house, clip, try #require(ClipPaths(parsing: path)?.stem))
    }

    private static func all(_ source: any ByteSource, _ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let more = try source.read(at: UInt64(bytes.count), count: count), !more.isEmpty { bytes += more }
        return bytes
    }

    @Test("The key of a clip follows from that of the site, and is of this clip, this use and this picture alone")
    func keys() throws {
        let site = SiteKey()
        let key = try #require(ClipKey(site, of: Self.clip))
        #expect(try #require(ClipKey(site, of: Self.clip)).media == key.media && key.id == site.id)
        #expect(try #require(ClipKey(site, of: Self.clip + "x")).media != key.media)
        #expect(try #require(ClipKey(SiteKey(), of: Self.clip)).media != key.media)
        #expect(key.secret.wholeMatch(of: /[0-9a-f]{32}/) != nil && key.encryption.kid == key.media.uuid)
        #expect(
            key.address == "data:text/plain;base64,"
                + Data(
                    (0..<16).map { place in
                        UInt8(key.secret.dropFirst(2 * place).prefix(2), radix: 16) ?? 0
                    }
                ).base64EncodedString() + "#.ts")
        let (one, other) = (Array("one picture".utf8), Array("one pictura".utf8))
        let sealed = try key.seal(one, as: "event-1.jpg.aes")
        #expect(try key.seal(one, as: "event-1.jpg.aes") == sealed)
        #expect(try key.open(sealed, of: "event-1.jpg.aes") == one)
        // Another picture never has the nonce of the first.
        #expect(try key.seal(other, as: "event-1.jpg.aes")[4..<16] != sealed[4..<16])
        #expect(throws: EncryptionError.self) { try key.open(sealed, of: "event-2.jpg.aes") }
        #expect(throws: EncryptionError.self) {
            try #require(ClipKey(site, of: Self.clip + "x")).open(sealed, of: "event-1.jpg.aes")
        }
    }

    @Test("What is sent is the same in whatever pieces it is read, is not the file, and is turned back into it")
    func bytes() async throws {
        let (house, id, stem) = try await written()
        let catalog = house.running.catalog
        let key = try #require(ClipKey(SiteKey(), of: stem))
        var source = try #require(try UploadSource(of: id, key: stem, sent: [], encryption: key, in: catalog))
        try source.digest { false }
        let track = try #require(source.tracks.first)
        let plain = Array(try Data(contentsOf: URL(fileURLWithPath: catalog.absolutePath(of: track.path))))
        let whole = try Self.all(track.content(0..<track.sentBytes), 1 << 20)
        #expect(whole.count == Int(track.sentBytes) && whole != plain)
        for count in [1_000, 4_096, 65_537] {
            #expect(try Self.all(track.content(0..<track.sentBytes), count) == whole)
        }
        #expect(try Self.all(track.content(77..<5_077), 512) == Array(whole[77..<5_077]))
        #expect(track.sha256 != track.sentSHA256)
        let description = try ClipDescription(parsing: source.description.encoded)
        #expect(description == source.description && description.encryption == key.encryption)
        let map = try #require(description.tracks[0].encryptedMap)
        // As those see it who play it from the store.
        let read = try DecryptedTrack("video.cmfv", Bytes(whole), map, key: key.media)
        var buffer = [UInt8](repeating: 0, count: plain.count + 10)
        let count = try buffer.withUnsafeMutableBytes { try read.read(into: $0, at: 0) }
        #expect(count == plain.count && Array(buffer.prefix(count)) == plain && read.size() == UInt64(plain.count))
        for begin in stride(from: 0, to: plain.count, by: 3_333) {
            var part = [UInt8](repeating: 0, count: 700)
            let count = try part.withUnsafeMutableBytes { try read.read(into: $0, at: UInt64(begin)) }
            #expect(Array(part.prefix(count)) == Array(plain[begin..<min(begin + 700, plain.count)]))
        }
        // As it is fetched.
        var (stream, fetched, rest) = (try DecryptedStream(map, key: key.media), [UInt8](), whole[...])
        while !rest.isEmpty {
            fetched += try stream.take(Array(rest.prefix(9_999)))
            rest = rest.dropFirst(9_999)
        }
        #expect(fetched == plain)
        // With another key nothing comes.
        let other = try #require(ClipKey(SiteKey(), of: stem))
        #expect(throws: TrackFileError.self) { try DecryptedTrack("video.cmfv", Bytes(whole), map, key: other.media) }
        #expect(throws: TrackFileError.self) {
            let cut = try DecryptedTrack("video.cmfv", Bytes(Array(whole.dropLast(9))), map, key: key.media)
            var buffer = [UInt8](repeating: 0, count: plain.count)
            _ = try buffer.withUnsafeMutableBytes { try cut.read(into: $0, at: 0) }
        }
        _ = try await house.end()
    }

    @Test("A clip that is sent in pieces has the bytes that it has as a whole, and pieces of before are known again")
    func pieces() async throws {
        let (house, id, stem) = try await written()
        let catalog = house.running.catalog
        let key = try #require(ClipKey(SiteKey(), of: stem))
        func source(_ sent: [UploadObject], _ key: ClipKey?) throws -> UploadSource {
            var source = try #require(try UploadSource(of: id, key: stem, sent: sent, encryption: key, in: catalog))
            try source.digest { false }
            return source
        }
        let whole = try source([], key)
        let index = try #require(whole.tracks[0].encrypted?.map.encrypted)
        let first = try #require(PiecePlan(.video).next(in: index, upTo: 1))
        var row = UploadObject(
            name: "video.000001.cmfv", track: 0, bytes: Int64(first.bytes.count), isThere: true)
        let begun = try source([row], key)
        row.sha256 = begun.tracks[0].objects[0].sha256
        #expect(try source([row], key).misfits.isEmpty)
        #expect(begun.seal == whole.seal && begun.tracks[0].sentSHA256 == whole.tracks[0].sentSHA256)
        #expect(begun.tracks[0].objects.count == (index.entries.count > 1 ? 2 : 1))
        // With another key, or with none, they are pieces of something else.
        let other = try #require(ClipKey(SiteKey(), of: stem))
        #expect(try !source([row], other).misfits.isEmpty && !source([row], nil).misfits.isEmpty)
        _ = try await house.end()
    }

    @Test("Keys are read with the configuration: what is in the way of sending is said, and old ones open old clips")
    func configured() throws {
        let folder = NSTemporaryDirectory() + "vigil-keys-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "name: all\ncloud: { upload: all }\n".write(
            toFile: folder + "/all.yaml", atomically: true, encoding: .utf8)
        func load(_ encryption: String) throws -> LoadedConfiguration {
            try """
            http: { listen: none }
            policies: [ all.yaml ]
            cloud:
              store: { endpoint: "http://127.0.0.1:9", bucket: clips }
            \(encryption)
            cameras: { front: { main: "demo:", policy: all } }

            """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
            return try ConfigurationLoader(examiner: nil).load(folder + "/vigil.yaml").result.get()
        }
        let keys = ClipKeys()
        keys.change(try load(""))
        #expect(keys.problem == nil && keys.idForNew == nil && !keys.isEncrypting && keys.usable.isEmpty)
        let loaded = try load("  encryption: { keyFile: site.key, oldKeyFiles: [ old.key ] }")
        keys.change(loaded)
        #expect(keys.problem?.contains("site.key: No such file") == true && keys.idForNew == "" && keys.usable.isEmpty)
        let file = try KeyFile.create(folder + "/site.key", key: SiteKey())
        let old = try KeyFile.create(folder + "/old.key", key: SiteKey(), backup: "2026-11-25")
        keys.change(loaded)
        #expect(keys.problem?.contains("vigil cloud key confirm") == true && keys.idForNew == file.key.id)
        _ = try file.confirm(on: "2026-11-25")
        keys.change(loaded)
        #expect(keys.problem == nil && keys.usable == ["", file.key.id, old.key.id])
        #expect(try keys.key(old.key.id, of: Self.clip).id == old.key.id)
        var failure = #expect(throws: DaemonFailure.self) { try keys.key("0123456789abcdef", of: Self.clip) }
        #expect(failure.map { "\($0)" }?.contains("0123456789abcdef") == true)
        #expect(failure.map { "\($0)" }?.contains(file.key.id) == true)
        failure = #expect(throws: DaemonFailure.self) { try keys.key("", of: Self.clip) }
        #expect(failure.map { "\($0)" }?.contains("cannot be read yet") == true)
        #expect(chmod(folder + "/site.key", 0o644) == 0)
        keys.change(loaded)
        #expect(keys.problem?.contains("chmod 600") == true && keys.usable == [old.key.id])
    }
}
