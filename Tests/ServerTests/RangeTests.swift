internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

@Suite("Ranges of media")
struct RangeTests {
    @Test(
        "a field asks for all, for a part of what there is, or for nothing that there is",
        arguments: [
            (nil, .whole), ("bytes=0-0", .part(0..<1)), ("bytes=0-99", .part(0..<100)), ("bytes=5-", .part(5..<100)),
            ("bytes=-1", .part(99..<100)), ("bytes=-500", .part(0..<100)), ("bytes=90-1000", .part(90..<100)),
            ("Bytes = 1-2 ", .part(1..<3)), ("bytes=99-99", .part(99..<100)), ("bytes=100-", .outside),
            ("bytes=100-200", .outside), ("bytes=-0", .outside), ("bytes=2-1", .whole), ("bytes=1-2,4-5", .whole),
            ("bytes=", .whole), ("bytes=-", .whole), ("items=0-1", .whole), ("0-1", .whole), ("bytes=a-b", .whole),
            ("bytes=0x1-2", .whole), ("bytes=+1-2", .whole), ("bytes=1--2", .whole), ("bytes=１-２", .whole),
            ("bytes=0-99999999999999999999999999", .part(0..<100)),
            ("bytes=99999999999999999999999999-", .outside), ("bytes=-18446744073709551616", .part(0..<100)),
            ("bytes=18446744073709551615-18446744073709551615", .outside),
        ] as [(String?, ByteRange)])
    func field(text: String?, range: ByteRange) { #expect(ByteRange(text, of: 100) == range) }

    @Test("nothing is a part of nothing, and the largest length has a last byte")
    func ends() {
        for text in ["bytes=0-", "bytes=0-0", "bytes=-1"] { #expect(ByteRange(text, of: 0) == .outside) }
        #expect(ByteRange("bytes=0-", of: .max) == .part(0..<UInt64.max))
        #expect(ByteRange("bytes=-1", of: .max) == .part(UInt64.max - 1..<UInt64.max))
    }

    @Test(
        "a tag lets a part be sent only where it is the very same, and a client's copy be kept where it is among its own"
    )
    func tags() {
        let tag = EntityTag("a-1")
        for text in [nil, "\"a-1\""] { #expect(tag.allowsPart(text)) }
        for text in ["a-1", "W/\"a-1\"", "\"a-2\"", "Sat, 21 Nov 2026 10:00:00 GMT", ""] {
            #expect(!tag.allowsPart(text))
        }
        for text in ["*", "\"a-1\"", "\"b\", W/\"a-1\"", "\"b\",\"a-1\""] { #expect(tag.isKnown(text)) }
        for text in [nil, "", "a-1", "\"b\""] { #expect(!tag.isKnown(text)) }
    }

    /// Runs `body` against the routes.
    private func ask<Value: Sendable>(
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let gate = Gate(daemonUser: 4_000, group: nil) { _ in
            LocalPeer(caller: Caller(uid: 0, gid: 0, pid: 7), groups: [])
        }
        return try await Application(router: API.router(site: MemorySite(), gate: gate)).test(.router, body)
    }

    @Test("a track is given whole, in parts, or not at all; its head is the same without the body")
    func track() async throws {
        let all = MemorySite.trackBytes
        try await ask { client in
            let path = "/v1/clips/1/tracks/video"
            let whole = try await client.execute(uri: path, method: .get)
            #expect(whole.status == .ok && Array(buffer: whole.body) == all)
            #expect(whole.headers[.acceptRanges] == "bytes" && whole.headers[.eTag] == "\"1-video\"")
            #expect(whole.headers[.contentType] == "video/mp4")
            let head = try await client.execute(uri: path, method: .head, headers: [.range: "bytes=0-1"])
            #expect(head.status == .ok && head.body.readableBytes == 0)
            #expect(head.headers[.contentLength] == "\(all.count)" && head.headers[.eTag] == "\"1-video\"")
            // Over the border of what is read at once.
            let part = try await client.execute(uri: path, method: .get, headers: [.range: "bytes=262100-262200"])
            #expect(part.status == .partialContent && Array(buffer: part.body) == Array(all[262_100...262_200]))
            #expect(part.headers[.contentRange] == "bytes 262100-262200/\(all.count)")
            #expect(part.headers[.contentLength] == "101")
            let tail = try await client.execute(uri: path, method: .get, headers: [.range: "bytes=-300000"])
            #expect(Array(buffer: tail.body) == Array(all.suffix(300_000)))
            let outside = try await client.execute(
                uri: path, method: .get, headers: [.range: "bytes=\(all.count)-"])
            #expect(outside.status == .rangeNotSatisfiable && outside.body.readableBytes == 0)
            #expect(outside.headers[.contentRange] == "bytes */\(all.count)")
            let several = try await client.execute(uri: path, method: .get, headers: [.range: "bytes=0-1,5-6"])
            #expect(several.status == .ok && several.body.readableBytes == all.count)
            let same = try await client.execute(
                uri: path, method: .get, headers: [.range: "bytes=0-1", .ifRange: "\"1-video\""])
            #expect(same.status == .partialContent)
            let grown = try await client.execute(
                uri: path, method: .get, headers: [.range: "bytes=0-1", .ifRange: "\"0-video\""])
            #expect(grown.status == .ok && grown.body.readableBytes == all.count)
            let known = try await client.execute(uri: path, method: .get, headers: [.ifNoneMatch: "\"1-video\""])
            #expect(known.status == .notModified && known.body.readableBytes == 0)
        }
    }

    @Test(
        "what makes no sense is refused",
        arguments: [
            ("/v1/clips/1/tracks/text", 400), ("/v1/clips/1/tracks/video?range=1", 400),
            ("/v1/clips/1/tracks/video.mp4", 200), ("/v1/clips/1/tracks/video.mp4.mp4", 400),
            ("/v1/clips/1/tracks/.mp4", 400), ("/v1/clips/1/tracks/video?shift=90000", 200),
            ("/v1/clips/1/tracks/video?shift=-1", 400),
            ("/v1/clips/1/tracks/video?shift=18446744073709551615", 400),
            ("/v1/clips/1/tracks/video?session=", 400), ("/v1/clips/1/tracks/video?session=a%22b", 400),
            ("/v1/clips/0/tracks/video", 400), ("/v1/clips/9223372036854775808/tracks/video", 400),
            ("/v1/clips/99/tracks/video", 404), ("/v1/clips/1/tracks/audio", 404),
            ("/v1/cameras/front/play.m3u8", 400), ("/v1/cameras/front/play.m3u8?from=2026-11-21T10:00:00Z", 400),
            ("/v1/cameras/front/play.m3u8?from=2026-11-21T10:00:00Z&skipHoles=true", 200),
            ("/v1/cameras/front/play.m3u8?from=2026-11-21T10:00:00Z&skipHoles=1", 200),
            ("/v1/cameras/front/play.m3u8?from=2026-11-21T10:00:00Z&skipHoles=yes", 400),
            ("/v1/cameras/front/play.m3u8?from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:00Z", 400),
            ("/v1/cameras/front/play.m3u8?from=2026-11-21T10:00:00Z&to=2027-11-21T10:00:00Z", 400),
            ("/v1/cameras/front/play.mp4?from=2026-11-21T10:00:00Z&to=9999-12-31T23:59:59Z", 400),
            ("/v1/cameras/none/play.mpd?from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:01Z", 404),
            ("/v1/cameras/front/days", 400), ("/v1/cameras/front/days?month=2026-13", 400),
            ("/v1/cameras/front/days?month=2026-1", 400), ("/v1/cameras/front/days?month=9999-01", 400),
            ("/v1/cameras/none/days?month=2026-11", 404), ("/v1/cameras/front/picture", 400),
            ("/v1/cameras/front/picture?at=2026-11-21T10:00:00Z&width=5", 400),
            ("/v1/cameras/front/thumbnails", 400), ("/v1/cameras/front/thumbnails.json?hour=10", 400),
            ("/v1/cameras/front/play/other.m3u8?from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:01Z", 404),
        ])
    func refusals(path: String, status: Int) async throws {
        try await ask { client in
            let answer = try await client.execute(uri: path, method: .get)
            #expect(Int(answer.status.code) == status, "\(String(buffer: answer.body))")
        }
    }

    @Test("a playlist is asked for with the time, and carries session and times on")
    func playlist() async throws {
        try await ask { client in
            let time = "from=2026-11-21T10:00:00Z&to=2026-11-21T10:00:41Z"
            for form in PlaylistForm.allCases {
                let answer = try await client.execute(
                    uri: "/v1/cameras/front/\(form.rawValue)?\(time)&session=s-1", method: .get)
                let query = "?from=2026-11-21T10:00:00.000Z&to=2026-11-21T10:00:41.000Z&session=s-1"
                #expect(String(buffer: answer.body) == form.rawValue + query)
                #expect(answer.headers[.contentType] == form.type)
            }
            let movie = try await client.execute(
                uri: "/v1/cameras/front/play.mp4?\(time)", method: .get, headers: [.range: "bytes=7-9"])
            #expect(movie.status == .partialContent && movie.body.readableBytes == 3)
        }
    }
}

extension [UInt8] {
    fileprivate init(buffer: ByteBuffer) { self = Array(buffer.readableBytesView) }
}
