import Foundation
import Machines
import Testing

@testable import Cloud
@testable import Media

/// Lists and manifest of clips that Vigil's own writer has written, read by ffmpeg.
@Suite struct ClipPresentationTests {
    private static func stream(_ name: String) throws -> TestStream {
        switch name {
        case "h264": try TestMedia.h264.get()
        case "h264B": try TestMedia.h264B.get()
        case "h265": try TestMedia.h265.get()
        case "opus": try TestMedia.opus.get()
        default: try TestMedia.aac.get()
        }
    }

    @Test(
        "HLS and DASH play every packet once, of whole files and of pieces",
        arguments: [["h264", "aac"], ["h264B", "opus"], ["h265", "aac"], ["h264"], ["aac"]], [nil, 1, 3])
    func plays(names: [String], fragmentsInPiece: Int?) throws {
        let streams = try names.map(Self.stream)
        let folder = try BucketFolder(streams, fragmentsInPiece: fragmentsInPiece)
        for stream in streams {
            let place = stream.configuration.kind == .video ? "0:v" : "0:a"
            let sent = try Tool.packetHashes(stream.path)
            #expect(sent.count >= 100)
            for list in [CloudKeys.index, CloudKeys.manifest, CloudKeys.playlist(stream.configuration.kind)] {
                #expect(
                    try BucketFolder.packets(folder.url, list, place) == sent,
                    "\(list) of \(names) in pieces of \(fragmentsInPiece ?? 0)")
            }
        }
    }

    @Test("Sound that begins later than the pictures is heard later, in HLS and in DASH")
    func laterSound() throws {
        let (video, audio) = (try TestMedia.h264.get(), try TestMedia.aac.get())
        var folder = try BucketFolder([video, audio])
        let scratch = try Scratch()
        let summary = try audio.write(scratch.path("late.cmfa"), shift: 48_000)
        let file = try Data(contentsOf: URL(fileURLWithPath: scratch.path("late.cmfa")))
        try file.write(to: folder.url.appendingPathComponent("audio.cmfa"))
        var clip = folder.description
        clip.tracks[1].index = Data(summary.index.encoded())
        clip.tracks[1].bytes = Int64(file.count)
        clip.tracks[1].objects[0].bytes = Int64(file.count)
        let presentation = try ClipPresentation(clip)
        for part in presentation.playlists() + [presentation.manifest()] {
            try part.body.write(to: folder.url.appendingPathComponent(part.name))
        }
        folder = BucketFolder(folder, clip)
        #expect(try folder.text("audio.m3u8").contains("PROGRAM-DATE-TIME:2026-11-23T10:15:01.000Z\n"))
        for list in [CloudKeys.index, CloudKeys.manifest] {
            let first = try ["v", "a"].map { stream in
                let out = try BucketFolder.read(
                    folder.url, list, "ffprobe",
                    ["-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0"])
                return try #require(Double(out.split(separator: "\n").first?.split(separator: ",").first ?? ""))
            }
            #expect(abs(first[1] - first[0] - 1) < 0.05, "\(list): \(first)")
        }
    }

    @Test("The lists of a clip are these, byte for byte")
    func golden() throws {
        var clip = ClipDescription.made(fragments: 3)
        clip.tracks += ClipDescription.made(fragments: 1, kind: .audio).tracks
        let presentation = try ClipPresentation(clip)
        let parts = presentation.playlists()
        #expect(parts.map(\.name) == ["index.m3u8", "video.m3u8", "audio.m3u8"])
        #expect(parts.allSatisfy { $0.contentType == "application/vnd.apple.mpegurl" })
        #expect(
            String(decoding: parts[0].body, as: UTF8.self) == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="audio.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=8000,AVERAGE-BANDWIDTH=8000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1920x1080,\
                FRAME-RATE=25.000,AUDIO="sound"
                video.m3u8

                """)
        #expect(
            String(decoding: parts[1].body, as: UTF8.self) == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:4
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MAP:URI="video.cmfv",BYTERANGE="100@0"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-23T10:15:00.000Z
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:2000@100
                video.cmfv
                #EXTINF:2.000000,
                #EXT-X-BYTERANGE:1000@2100
                video.cmfv
                #EXT-X-ENDLIST

                """)
        let manifest = presentation.manifest()
        #expect(manifest.name == "manifest.mpd" && manifest.contentType == "application/dash+xml")
        let text = String(decoding: manifest.body, as: UTF8.self)
        #expect(text.contains("mediaPresentationDuration=\"PT6.000000S\""))
        #expect(text.contains("<Initialization sourceURL=\"video.cmfv\" range=\"0-99\"/>"))
        #expect(text.contains("<SegmentURL media=\"video.cmfv\" mediaRange=\"2100-3099\"/>"))
        let again = try ClipPresentation(ClipDescription(parsing: clip.encoded))
        #expect(again.playlists() == parts && again.manifest() == manifest)
    }

    @Test("A segment lies in one piece, at its place in that piece, and the header in the first")
    func boundary() throws {
        let clip = ClipDescription.made(fragments: 6, pieces: [1, 2, 3])
        let list = String(decoding: try ClipPresentation(clip).playlists()[1].body, as: UTF8.self)
        let places = list.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-BYTERANGE:") || $0.hasPrefix("video") }
        #expect(
            places == [
                "#EXT-X-BYTERANGE:1000@100", "video.000001.cmfv", "#EXT-X-BYTERANGE:2000@0", "video.000002.cmfv",
                "#EXT-X-BYTERANGE:2000@0", "video.000003.cmfv", "#EXT-X-BYTERANGE:1000@2000", "video.000003.cmfv",
            ])
        #expect(list.contains("#EXT-X-MAP:URI=\"video.000001.cmfv\",BYTERANGE=\"100@0\""))
    }

    @Test("A live list has no end and only grows; with its end nothing before it is other")
    func grows() throws {
        func list(_ clip: ClipDescription, isOpen: Bool) throws -> String {
            String(decoding: try ClipPresentation(clip).playlists(isOpen: isOpen)[1].body, as: UTF8.self)
        }
        var before = try list(.made(fragments: 1, pieces: [1], ended: nil), isOpen: true)
        #expect(before.contains("#EXT-X-PLAYLIST-TYPE:EVENT\n") && !before.contains("ENDLIST"))
        for pieces in [[1, 2], [1, 2, 5], [1, 2, 5, 1]] {
            let count = pieces.reduce(0, +)
            let next = try list(.made(fragments: count, pieces: pieces, ended: nil), isOpen: true)
            #expect(next.hasPrefix(before) && next != before)
            before = next
        }
        let whole = try list(.made(fragments: 9, pieces: [1, 2, 5, 1]), isOpen: false)
        let common = before.replacing("EVENT", with: "VOD").replacing("#EXT-X-INDEPENDENT-SEGMENTS\n", with: "")
        #expect(whole.replacing("#EXT-X-INDEPENDENT-SEGMENTS\n", with: "") == common + "#EXT-X-ENDLIST\n")
    }

    @Test("A live clip of which nothing was sent yet has lists, and its tracks are named")
    func nothingYet() throws {
        var clip = ClipDescription.made(fragments: 0, ended: nil)
        clip.tracks[0].bytes = 0
        clip.tracks[0].objects = []
        clip.tracks[0].sha256 = ""
        let parts = try ClipPresentation(ClipDescription(parsing: clip.encoded)).playlists(isOpen: true)
        #expect(parts.map(\.name) == ["index.m3u8", "video.m3u8"])
        #expect(!String(decoding: parts[1].body, as: UTF8.self).contains("#EXT-X-MAP"))
        clip.tracks = []
        #expect(try ClipPresentation(clip).playlists(isOpen: true).map(\.name) == ["index.m3u8"])
    }

    @Test("After a hole the wall time is told again")
    func hole() throws {
        var clip = ClipDescription.made(fragments: 4, pieces: [2, 2])
        let index = try FragmentIndex(decoding: clip.tracks[0].index)
        let entries = index.entries.enumerated().map { number, entry in
            FragmentIndex.Entry(
                offset: entry.offset, size: entry.size, decodeTime: entry.decodeTime + (number < 2 ? 0 : 30_000),
                durationTicks: entry.durationTicks, sampleCount: entry.sampleCount, startsWithKey: true)
        }
        clip.tracks[0].index = Data(
            FragmentIndex(timescale: 1_000, headerBytes: 100, entries: entries).encoded())
        let list = String(decoding: try ClipPresentation(clip).playlists()[1].body, as: UTF8.self)
        #expect(
            list.split(separator: "\n").filter { $0.contains("DATE-TIME") } == [
                "#EXT-X-PROGRAM-DATE-TIME:2026-11-23T10:15:00.000Z",
                "#EXT-X-PROGRAM-DATE-TIME:2026-11-23T10:15:34.000Z",
            ])
    }

    @Test("Addresses stand in the place of every media object, and only of these, and cannot break out of a line")
    func addresses() throws {
        let presentation = try ClipPresentation(.made(fragments: 2, pieces: [1, 1]))
        let evil = "?sig=a&b=\"\n#EXT-X-ENDLIST"
        let parts = presentation.playlists { (name: String) -> String in "https://s.example/" + name + evil }
        let lines = String(decoding: parts[1].body, as: UTF8.self).split(separator: "\n")
        let odd = "?sig=a&b=%22%0A#EXT-X-ENDLIST"
        #expect(
            lines.filter { $0.hasPrefix("https:") }.map(String.init) == [
                "https://s.example/video.000001.cmfv\(odd)", "https://s.example/video.000002.cmfv\(odd)",
            ])
        #expect(
            lines.contains { $0 == "#EXT-X-MAP:URI=\"https://s.example/video.000001.cmfv\(odd)\",BYTERANGE=\"100@0\"" })
        #expect(lines.filter { $0 == "#EXT-X-ENDLIST" }.count == 1)
        #expect(String(decoding: parts[0].body, as: UTF8.self).hasSuffix("\nvideo.m3u8\n"))
    }

    @Test("A codec that is not known leaves the attribute out, which names all codecs or none")
    func unknownCodec() throws {
        var clip = ClipDescription.made(fragments: 1)
        clip.tracks += ClipDescription.made(fragments: 1, kind: .audio).tracks
        clip.tracks[1].codec = "unknown"
        let presentation = try ClipPresentation(clip)
        let index = String(decoding: presentation.playlists()[0].body, as: UTF8.self)
        #expect(!index.contains("CODECS") && index.contains("BANDWIDTH="))
        #expect(!String(decoding: presentation.manifest().body, as: UTF8.self).contains("unknown"))
    }

    @Test("A description that was not read from JSON is checked all the same")
    func unchecked() throws {
        var clip = ClipDescription.made(fragments: 2)
        clip.tracks[0].objects[0].firstByte = .max
        #expect(throws: Defect.self) { try ClipPresentation(clip) }
    }
}
