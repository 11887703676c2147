import Foundation
import Machines
import Testing

@testable import Cloud
@testable import Media

/// The lists of what was made of a clip.
@Suite struct EncodedPresentationTests {
    private static func track(_ kind: TrackKind, _ codec: String, height: Int? = nil, timescale: UInt32 = 1_000)
        -> ClipDescription.Track
    {
        let entries = (0..<UInt64(3)).map { number in
            FragmentIndex.Entry(
                offset: 100 + number * 1_000, size: 1_000, decodeTime: number * 4_000, durationTicks: 4_000,
                sampleCount: 100, startsWithKey: true)
        }
        let index = FragmentIndex(timescale: timescale, headerBytes: 100, entries: entries)
        let sum = String(repeating: "a", count: 64)
        return ClipDescription.Track(
            kind: kind, codec: codec, bytes: 3_100, sha256: sum, durationMs: 12_000, width: height.map { $0 * 16 / 9 },
            height: height, index: Data(index.encoded()),
            objects: [ClipDescription.Object(name: CloudKeys.track(kind), firstByte: 0, bytes: 3_100, sha256: sum)])
    }

    private static func clip(_ tracks: [ClipDescription.Track]) throws -> ClipPresentation {
        try ClipPresentation(
            ClipDescription(
                camera: "yard", bootID: "7d2c0f4a", startMonotonicMs: 60_000, endMonotonicMs: 72_000,
                startWallMs: 1_795_428_900_000, endWallMs: 1_795_428_912_000, cause: .detection, mediaClass: .event,
                ended: .quiet, policy: "shop", policyRevision: "0a1b", isIncomplete: false, tracks: tracks, events: []))
    }

    private static func text(_ part: ClipPresentation.Part) -> String { String(decoding: part.body, as: UTF8.self) }

    @Test("The list of a copy has its ranges, and the clip's time of day")
    func list() throws {
        let clip = try Self.clip([Self.track(.video, "hvc1.1.6.L93.B0", height: 720)])
        let made = try EncodedFileList("360p", Self.track(.video, "avc1.64001e", height: 360), of: clip)
        #expect(made.name == "encoded/360p.cmfv" && made.list.name == "encoded/360p.m3u8")
        #expect(made.rendition.peak == 2_000 && made.rendition.ratePerMille == 25_000)
        #expect(
            Self.text(made.list) == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:4
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MAP:URI="360p.cmfv",BYTERANGE="100@0"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-23T10:15:00.000Z
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:1000@100
                360p.cmfv
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:1000@1100
                360p.cmfv
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:1000@2100
                360p.cmfv
                #EXT-X-ENDLIST

                """)
    }

    @Test("The clip's own sound goes with the copies, unless it was encoded, too")
    func lists() throws {
        let own = [Self.track(.video, "hvc1.1.6.L93.B0", height: 720), Self.track(.audio, "mp4a.40.2")]
        let clip = try Self.clip(own)
        let copy = try EncodedFileList("360p", Self.track(.video, "avc1.64001e", height: 360), of: clip).rendition
        let lists = EncodedPresentation(of: clip, [copy]).lists()
        #expect(lists.map(\.name) == ["encoded/index.m3u8", "index.m3u8"])
        let sound = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\",NAME=\"Sound\",DEFAULT=YES,AUTOSELECT=YES,URI="
        let stream = """
            #EXT-X-STREAM-INF:BANDWIDTH=4000,AVERAGE-BANDWIDTH=4000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,\
            FRAME-RATE=25.000,AUDIO="sound"
            """
        let begin = "#EXTM3U\n#EXT-X-VERSION:7\n"
        #expect(Self.text(lists[0]) == "\(begin)\(sound)\"../audio.m3u8\"\n\(stream)\n360p.m3u8\n")
        let recorded = stream.replacing("avc1.64001e", with: "hvc1.1.6.L93.B0").replacing("640x360", with: "1280x720")
        #expect(
            Self.text(lists[1])
                == "\(begin)\(sound)\"audio.m3u8\"\n\(stream)\nencoded/360p.m3u8\n\(recorded)\nvideo.m3u8\n")

        let opus = try Self.clip([own[0], Self.track(.audio, "opus")])
        let aac = try EncodedFileList("audio", Self.track(.audio, "mp4a.40.2"), of: opus).rendition
        let both = EncodedPresentation(of: opus, [copy, aac]).lists().map(Self.text)
        let encoded = sound.replacing("\"sound\"", with: "\"encoded\"")
        let other = stream.replacing("\"sound\"", with: "\"encoded\"")
        #expect(both[0] == "\(begin)\(encoded)\"audio.m3u8\"\n\(other)\n360p.m3u8\n")
        #expect(
            both[1] == "\(begin)\(encoded)\"encoded/audio.m3u8\"\n\(sound)\"audio.m3u8\"\n\(other)\nencoded/360p.m3u8\n"
                + recorded.replacing("mp4a.40.2", with: "opus") + "\nvideo.m3u8\n")
    }

    @Test("A clip without sound has lists without sound")
    func silent() throws {
        let clip = try Self.clip([Self.track(.video, "avc1.64001f", height: 720)])
        let copy = try EncodedFileList("360p", Self.track(.video, "avc1.64001e", height: 360), of: clip).rendition
        for list in EncodedPresentation(of: clip, [copy]).lists() {
            #expect(!Self.text(list).contains("AUDIO") && Self.text(list).contains("CODECS=\"avc1.64001e\""))
        }
    }
}
