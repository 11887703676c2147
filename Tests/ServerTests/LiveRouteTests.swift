internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTesting
internal import MemorySite
internal import NIOCore
internal import Testing

@testable import Server

@Suite("Live pictures and playlists")
struct LiveRouteTests {
    private func ask<Value: Sendable>(
        _ body: @Sendable (any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        let principal = Principal(caller: Caller(uid: 0, gid: 0, pid: 7), right: .view, cameras: .all)
        return try await Application(router: API.router(site: MemorySite()) { _, _ in Admission(principal) }).test(
            .router, body)
    }

    @Test("one picture comes with the time of its frame")
    func picture() async throws {
        try await ask { client in
            let answer = try await client.execute(uri: "/v1/cameras/front/live.jpg?width=320&stream=sub", method: .get)
            #expect(answer.status == .ok && answer.headers[.contentType] == "image/jpeg")
            #expect(answer.headers[try #require(HTTPField.Name("Vigil-At"))] == MemorySite.origin.rfc3339)
            #expect(Array(answer.body.readableBytesView) == MemorySite.picture + Array("320".utf8))
        }
    }

    @Test("a movie comes piece by piece, as it is made")
    func movie() async throws {
        try await ask { client in
            let answer = try await client.execute(uri: "/v1/cameras/front/live.mp4?sound=none", method: .get)
            #expect(answer.status == .ok && answer.headers[.contentType] == "video/mp4")
            #expect(Array(answer.body.readableBytesView) == Array(MemorySite.liveMovie.joined()))
        }
    }

    @Test("pictures come one after another, each with its length")
    func pictures() async throws {
        try await ask { client in
            let answer = try await client.execute(uri: "/v1/cameras/front/live.mjpg?fps=7", method: .get)
            let type = try #require(answer.headers[.contentType])
            #expect(type == "multipart/x-mixed-replace; boundary=vigil-picture")
            let parts = String(decoding: answer.body.readableBytesView, as: UTF8.self).split(
                separator: "--vigil-picture")
            #expect(parts.count == 4 && parts.last == "--\r\n")
            for part in parts.dropLast() {
                #expect(part.contains("Content-Length: 5\r\n") && part.hasSuffix("7\r\n"))
                #expect(part.contains("Vigil-At: \(MemorySite.origin.rfc3339)\r\n"))
            }
        }
    }

    @Test("decoded frames come behind their heads, then words; what is asked for reaches the site")
    func frames() async throws {
        try await ask { client in
            let answer = try await client.execute(
                uri: "/v1/cameras/front/frames?format=yuv420p&fps=7&width=320&stream=sub", method: .get)
            #expect(answer.headers[.contentType] == "application/vnd.vigil.frames")
            var rest = answer.body.readableBytesView[...]
            for number in 1...3 {
                let head = try #require(FrameHead(rest))
                #expect(head.content == .yuv420p && head.width == 320 && head.height == 2 && head.count == 960)
                #expect(head.number == UInt64(number) && head.dial == 1 && head.mediaUs == Int64(number) * 40_000)
                #expect(head.arrived == MemorySite.origin)
                rest = rest.dropFirst(FrameHead.length)
                #expect(rest.prefix(960).allSatisfy { $0 == 7 })
                rest = rest.dropFirst(960)
            }
            for word in [#"{"lost":true}"#, #"{"ended":"left"}"#] {
                let head = try #require(FrameHead(rest))
                #expect(head.content == .word && head.width == 0 && head.count == word.utf8.count)
                rest = rest.dropFirst(FrameHead.length)
                #expect(String(decoding: rest.prefix(head.count), as: UTF8.self) == word)
                rest = rest.dropFirst(head.count)
            }
            #expect(rest.isEmpty)
            let jpeg = try await client.execute(uri: "/v1/cameras/front/frames?format=jpeg", method: .get)
            let head = try #require(FrameHead(jpeg.body.readableBytesView))
            #expect(head.content == .jpeg && head.width == 640)
            #expect(String(buffer: jpeg.body).hasSuffix(#"{"ended":"budget","why":"no memory"}"#))
        }
    }

    @Test("the files of low-latency HLS have their types, and directives reach the site")
    func files() async throws {
        try await ask { client in
            for (uri, type, body) in [
                ("main.m3u8?stream=sub", "application/vnd.apple.mpegurl", "main.m3u8 - -1 -1"),
                ("video.m3u8?player=a&_HLS_msn=7&_HLS_part=2", "application/vnd.apple.mpegurl", "video.m3u8 a 7 2"),
                ("audio-0.mp4?player=a", "audio/mp4", "audio-0.mp4 a -1 -1"),
                ("video-12.m4s?player=a", "video/mp4", "video-12.m4s a -1 -1"),
                ("video-12.3.m4s?player=a", "video/mp4", "video-12.3.m4s a -1 -1"),
            ] {
                let answer = try await client.execute(uri: "/v1/cameras/front/live/\(uri)", method: .get)
                #expect(answer.status == .ok && answer.headers[.contentType] == type)
                #expect(String(buffer: answer.body) == body)
            }
        }
    }

    @Test(
        "what does not make sense is refused",
        arguments: [
            ("live.jpg?width=15", 400), ("live.jpg?sound=none", 400), ("live.jpg?stream=third", 400),
            ("live.mp4?sound=loud", 400), ("live.mp4?width=320", 400),
            ("frames?fps=0", 400), ("frames?fps=31", 400), ("frames?fps=5.0", 400), ("frames?width=15", 400),
            ("frames?width=3841", 400), ("frames?format=rgb", 400), ("frames?stream=both", 400),
            ("frames?sound=none", 400),
            ("live.mjpg?fps=0", 400), ("live.mjpg?fps=11", 400), ("live.mjpg?fps=x", 400), ("live", 400),
            ("live/main.m3u8?player=a", 400), ("live/video.m3u8?player=a&stream=sub", 400), ("live/video.m3u8", 400),
            ("live/video.m3u8?player=a&_HLS_part=1", 400),
            ("live/video.m3u8?player=a&_HLS_msn=-1", 400), ("live/other.m3u8", 404),
            ("live/video-1.2.3.m4s?player=a", 404),
            ("live/video-99999999999.m4s?player=a", 404), ("live/..%2Fmain.m3u8", 404),
        ])
    func refused(_ uri: String, _ status: Int) async throws {
        try await ask { client in
            let answer = try await client.execute(uri: "/v1/cameras/front/\(uri)", method: .get)
            #expect(Int(answer.status.code) == status)
            let error = try JSONDecoder().decode(ErrorBody.self, from: Data(answer.body.readableBytesView))
            #expect(!error.what.isEmpty && !error.why.isEmpty && !error.remedy.isEmpty)
        }
    }

    @Test("the name of a file is read back as it is written, and nothing else is a name")
    func names() {
        let files: [LiveFile] = [
            .main, .playlist(.video), .playlist(.audio), .header(.video, run: 0), .segment(.audio, number: 999_999_999),
            .part(.video, number: 3, part: 11),
        ]
        for file in files { #expect(LiveFile(file.name) == file) }
        for name in ["", ".", "video", "video-.m4s", "video-1..m4s", "video-+1.m4s", "video-1.mp4x", "main.m3u8 "] {
            #expect(LiveFile(name) == nil, "\(name)")
        }
    }
}
