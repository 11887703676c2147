import Testing

@testable import VigilKit

@Suite("Playlists, as the library reads them")
struct PlaylistTests {
    @Test("A list that grows: segments with their times, runs and headers")
    func reading() throws {
        let list = try #require(
            MediaPlaylist(
                """
                #EXTM3U
                #EXT-X-VERSION:9
                #EXT-X-TARGETDURATION:4
                #EXT-X-MEDIA-SEQUENCE:7
                #EXT-X-DISCONTINUITY-SEQUENCE:1
                #EXT-X-MAP:URI="a.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-22T10:00:00.250Z
                #EXTINF:2.000,
                7.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="b.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-22T10:00:09.000Z
                #EXTINF:2.000,
                8.m4s
                #EXT-X-PART:DURATION=0.500,URI="9.0.m4s",INDEPENDENT=YES
                """))
        #expect(!list.isEnded && list.segments.map(\.number) == [7, 8] && list.segments.map(\.run) == [1, 2])
        #expect(list.segments.map(\.media.uri) == ["7.m4s", "8.m4s"])
        #expect(list.segments[0].time == WallTime(rfc3339: "2026-11-22T10:00:00.250Z"))
        #expect(list.segments[1].header?.uri == "b.mp4")
    }

    @Test("A recorded list: ranges, gaps and the end")
    func ranges() throws {
        let list = try #require(
            MediaPlaylist(
                """
                #EXTM3U
                #EXT-X-MAP:URI="../c/1",BYTERANGE="800@0"
                #EXTINF:4.0,
                #EXT-X-BYTERANGE:100@800
                ../c/1
                #EXTINF:4.0,
                #EXT-X-GAP
                ../c/2
                #EXT-X-ENDLIST
                """))
        #expect(list.isEnded && list.segments.map(\.isGap) == [false, true])
        #expect(list.segments[0].media.range == 800..<900 && list.segments[0].header?.range == 0..<800)
    }

    @Test(
        "What is no list, or names what cannot be, is none",
        arguments: [
            "", "<html>", "#EXTM3U\n#EXT-X-BYTERANGE:9\nx", "#EXTM3U\n#EXT-X-BYTERANGE:9@18446744073709551615\nx",
            "#EXTM3U\n#EXT-X-BYTERANGE:0@5\nx",
        ])
    func none(_ text: String) { #expect(MediaPlaylist(text) == nil) }

    @Test("Numbers that are none, or too large, stop nothing")
    func numbers() throws {
        let list = try #require(
            MediaPlaylist("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:99999999999999999999\n#EXTINF:1e308,\nx"))
        #expect(list.segments.map(\.number) == [0])
    }

    @Test("Events come whole, whatever pieces they come in, and what has no end is refused")
    func events() throws {
        let text = ": hello\r\nid: 7\r\nevent: missed\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nid: 8\ndata: x\n\ndata"
        for size in 1...9 {
            var reader = ServerSentEvents()
            var events: [ServerSentEvents.Event] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let taken = reader.take(rest.prefix(size))
                events += try #require(taken)
                rest = rest.dropFirst(size)
            }
            #expect(
                events == [
                    .init(id: "7", name: "missed", data: "{\"a\":\n1}"), .init(id: "8", name: "message", data: "x"),
                ])
        }
        // An id counts when its event is whole, also without data: a reader that is cut off goes on behind it.
        var cutOff = ServerSentEvents()
        #expect(cutOff.take(Array("retry: 2000\nid: r.5\n\n".utf8)) == [] && cutOff.lastID == "r.5")
        #expect(cutOff.take(Array("id: r.6\ndata: x\n".utf8)) == [] && cutOff.lastID == "r.5")
        #expect(cutOff.take([0x0A])?.count == 1 && cutOff.lastID == "r.6")
        var reader = ServerSentEvents()
        let endless = reader.take([UInt8](repeating: 0x61, count: ServerSentEvents.bytesMax + 1))
        #expect(endless == nil)
    }

    @Test("The pace of a recording: due moments come at the speed, and never while it is held")
    func pace() {
        let now = ContinuousClock.now
        let pace = SessionPace(positionMs: 1_000, speed: 1, now: now)
        #expect(pace.wait(for: 3_000, now: now) == .seconds(2) && pace.wait(for: 900, now: now) == .zero)
        let fast = pace.changed(to: 4, now: now + .seconds(1))
        #expect(fast.wait(for: 6_000, now: now + .seconds(1)) == .seconds(1))
        let held = fast.changed(to: 0, now: now + .seconds(2))
        #expect(held.wait(for: 6_001, now: now + .seconds(9)) == nil && held.wait(for: 6_000, now: now) == .zero)
    }
}
