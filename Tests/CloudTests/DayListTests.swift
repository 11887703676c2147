import Foundation
import Testing

@testable import Cloud
@testable import Media

@Suite struct DayListTests {
    @Test("The list of a day plays the pictures of all its clips in order, from where it lies in the bucket")
    func plays() throws {
        let scratch = try Scratch()
        let key = { (second: Int) in "clips/front/2026/11/23/20261123T10150\(second).000Z-k3x9" }
        let (first, second) = (try TestMedia.h264.get(), try TestMedia.h264Small.get())
        let folders = try [
            BucketFolder([first, TestMedia.aac.get()], fragmentsInPiece: 2, key: key(0), in: scratch),
            BucketFolder([second], key: key(5), startWallMs: BucketFolder.startWallMs + 5_000, in: scratch),
        ]
        let list = try DayList(
            camera: "front", date: "2026-11-23",
            clips: [(key(5), folders[1].description), (key(0), folders[0].description)])
        #expect(list.key == "days/front/2026-11-23.m3u8")
        #expect(list.part.name == "2026-11-23.m3u8")
        let place = scratch.url.appendingPathComponent(list.key)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try list.part.body.write(to: place)
        let sent = try Tool.packetHashes(first.path) + Tool.packetHashes(second.path)
        #expect(try BucketFolder.packets(scratch.url, list.key, "0:v") == sent)
        let text = String(decoding: list.part.body, as: UTF8.self)
        #expect(text.split(separator: "\n").filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 1)
        #expect(
            text.contains("\n# ../../\(key(0))/index.m3u8\n") && text.contains("DATE-TIME:2026-11-23T10:15:05.000Z"))
        let again = try DayList(
            camera: "front", date: "2026-11-23",
            clips: [(key(0), folders[0].description), (key(5), folders[1].description)])
        #expect(again.part == list.part)
    }

    @Test("Segments of a day are joined until they are 20 s long, never over the end of an object")
    func joined() throws {
        let list = try DayList(
            camera: "front", date: "2026-11-23",
            clips: [(BucketFolder.key, .made(fragments: 40, pieces: [3, 37]))])
        let lengths = String(decoding: list.part.body, as: UTF8.self).split(separator: "\n").filter {
            $0.hasPrefix("#EXTINF:")
        }
        // 6 s in the first piece; 37 fragments of 2 s in the second: three times 20 s and the rest.
        #expect(
            lengths == ["#EXTINF:6.000000,"] + Array(repeating: "#EXTINF:20.000000,", count: 3) + ["#EXTINF:14.000000,"]
        )
    }

    @Test(
        "A list holds ten thousand clips of 20 s; what finds no room is left out, the list says so, and plays what it has"
    )
    func full() throws {
        func list(_ clips: Int, _ description: ClipDescription) throws -> DayList {
            var list = try DayList(camera: "front", date: "2026-11-23")
            for number in 0..<clips {
                let token = String(number + 100_000, radix: 36)
                try list.add("clips/front/2026/11/23/20261123T101500.000Z-\(token)", description)
            }
            return list
        }
        let last = "has more clips than this list has room for"
        let events = try list(10_000, .made(fragments: 10))
        #expect(events.clips == 10_000 && !events.isFull && events.part.body.count < DayList.bytesMax)
        #expect(!String(decoding: events.part.body, as: UTF8.self).contains(last))
        // Half an hour each, in pieces of one fragment: a slow line's live clips.
        let long = try list(100, .made(fragments: 900, pieces: Array(repeating: 1, count: 900)))
        let text = String(decoding: long.part.body, as: UTF8.self)
        #expect(long.isFull && (1..<100).contains(long.clips) && text.utf8.count < DayList.bytesMax + 1_000)
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix("/index.m3u8") } == long.clips)
        #expect(lines.count { $0.hasPrefix("#EXTINF:") } == long.clips * 900)
        #expect(lines.suffix(2).first?.contains(last) == true && lines.last == "#EXT-X-ENDLIST")
    }

    @Test("A day without clips is a list without segments; what is no day, camera or key is refused")
    func refused() throws {
        let empty = try DayList(camera: "front", date: "2026-11-23", clips: [])
        #expect(String(decoding: empty.part.body, as: UTF8.self).hasSuffix("#EXT-X-ENDLIST\n"))
        for (camera, date) in [
            ("Front", "2026-11-23"), ("..", "2026-11-23"), ("front", "2026-02-30"), ("front", "+026-11-23"),
        ] {
            #expect(throws: Defect.self) { try DayList(camera: camera, date: date, clips: []) }
        }
        for key in ["clips/../x", BucketFolder.key + "/", "clips/front"] {
            #expect(throws: Defect.self) {
                try DayList(camera: "front", date: "2026-11-23", clips: [(key, .made(fragments: 1))])
            }
        }
    }
}
