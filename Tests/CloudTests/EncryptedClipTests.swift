import Foundation
import Machines
import Testing

@testable import Cloud
@testable import Media

/// Clips that were encrypted before they were sent (docs/design/cloud.md "Encryption").
@Suite struct EncryptedClipTests {
    private static let key = MediaKey(
        key: (0..<16).map { UInt8($0 * 7) }, initialisationVector: Array(repeating: 9, count: 16),
        identifier: Array(0..<16))

    @Test(
        "ffmpeg plays every packet as it was by the lists with the key, of whole files and of pieces, and none without it",
        arguments: [["h264", "aac"], ["h265", "opus"]], [nil, 2])
    func plays(names: [String], fragmentsInPiece: Int?) throws {
        let streams = try names.map { name in
            switch name {
            case "h264": try TestMedia.h264.get()
            case "h265": try TestMedia.h265.get()
            case "opus": try TestMedia.opus.get()
            default: try TestMedia.aac.get()
            }
        }
        let folder = try BucketFolder(
            streams, fragmentsInPiece: fragmentsInPiece, encryption: Self.key)
        for stream in streams {
            let kind = stream.configuration.kind
            let list = CloudKeys.playlist(kind)
            let place = kind == .video ? "0:v" : "0:a"
            let sent = try Tool.packetHashes(stream.path)
            #expect(try BucketFolder.packets(folder.url, list, place) == sent, "\(list) of \(names)")
            // What lies in the bucket has the name of a key in its place.
            let text = try folder.text(list)
            #expect(text.contains("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"data:"))
            let bare = text.replacing(/URI="data:[^"]*"/, with: "URI=\"key\"")
            try bare.write(to: folder.url.appendingPathComponent("bare.m3u8"), atomically: true, encoding: .utf8)
            let blind = (try? BucketFolder.packets(folder.url, "bare.m3u8", place)) ?? []
            #expect(Set(blind).intersection(sent).isEmpty, "\(list) of \(names) without the key")
        }
        let manifest = try folder.text(CloudKeys.manifest)
        #expect(manifest.contains("value=\"cbcs\" cenc:default_KID=\"00010203-0405-0607-0809-0a0b0c0d0e0f\"/>"))
        #expect(manifest.contains("xmlns:cenc=\"urn:mpeg:cenc:2013\""))
    }

    @Test("The list in the bucket names no key, and that of a day turns encryption on and off")
    func days() throws {
        let encrypted = try BucketFolder([TestMedia.h264.get()], encryption: Self.key).description
        let parts = try ClipPresentation(encrypted).playlists()
        #expect(
            String(decoding: parts[1].body, as: UTF8.self).contains(
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"key\",KEYFORMAT=\"identity\",KEYFORMATVERSIONS=\"1\"\n"))
        let keys = ["a", "b", "c", "d"].map { "clips/front/2026/11/23/20261123T101500.000Z-\($0)" }
        let plain = ClipDescription.made(fragments: 2)
        let list = try DayList(
            camera: "front", date: "2026-11-23",
            clips: [(keys[0], plain), (keys[1], encrypted), (keys[2], plain), (keys[3], plain)])
        let lines = String(decoding: list.part.body, as: UTF8.self).split(separator: "\n").filter {
            $0.hasPrefix("#EXT-X-KEY") || $0.hasPrefix("#EXT-X-MAP")
        }
        #expect(
            lines.map { $0.hasPrefix("#EXT-X-MAP") ? "map" : $0.contains("NONE") ? "none" : "key" } == [
                "map", "map", "key", "none", "map", "map",
            ])
        #expect(lines[2].contains("URI=\"../../\(keys[1])/key\""))
    }

    @Test(
        "An encrypted clip is described in a format of its own, which is read back, and refused by who knows the first alone"
    )
    func described() throws {
        let clip = try BucketFolder([TestMedia.h264.get(), TestMedia.aac.get()], encryption: Self.key)
            .description
        #expect(try ClipDescription(parsing: clip.encoded) == clip)
        let text = String(decoding: clip.encoded, as: UTF8.self)
        #expect(text.contains("\"format\":2") && text.contains("\"keyId\":\"0123456789abcdef\""))
        #expect(!String(decoding: ClipDescription.made(fragments: 2).encoded, as: UTF8.self).contains("encrypt"))
        for track in clip.tracks {
            let map = try #require(track.encryptedMap)
            #expect(
                map.plainBytes == UInt64(track.bytes) && map.encryptedBytes == UInt64(track.objects.last?.endByte ?? 0))
        }
        // Taken for a clip that is not encrypted, nothing of it fits.
        for (key, value, named) in [
            ("format", "1", "tracks[0].encryptedIndex"), ("encryption", nil, "encryption"),
            ("encryption.scheme", "\"cenc\"", "encryption.scheme"),
            ("encryption.keyId", "\"0123\"", "encryption.keyId"),
            ("encryption.kid", "\"00010203-0405-0607-0809-0A0B0C0D0E0F\"", "encryption.kid"),
            ("tracks.0.encryptedIndex", nil, "tracks[0].encryptedIndex"),
            ("tracks.0.encryptedIndex", "\"AAAA\"", "tracks[0].encryptedIndex"),
            ("tracks.0.bytes", "12", "tracks[0].bytes"),
        ] as [(String, String?, String)] {
            let defect = #expect(throws: Defect.self, "\(key) \(value ?? "missing")") {
                try ClipDescription(parsing: ClipDescriptionTests.json(clip, key, value))
            }
            #expect(defect?.key == named)
        }
    }
}
