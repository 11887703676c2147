import Foundation
import Testing

@testable import Media

@Suite("Playing what was recorded, as players do it", .serialized)
struct PlaybackTests {
    /// Two clips of the demo camera with a hole between them, and the daemon that recorded them.
    func recorded(_ body: (RunningDaemon, Forwarder, [RecordedClip]) async throws -> Void) async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        for number in 1...2 {
            try await daemon.wait(camera: "demo", coverage: "recorded")
            try await daemon.wait("ten seconds of clip \(number)") {
                let clips = try daemon.clips()
                let tracks = clips.last?["tracks"] as? [[String: Any]]
                return clips.count == number && tracks?.count == 2
                    && tracks?.allSatisfy { $0["durationMs"] as? Int ?? 0 >= 10_000 } == true
            }
            #expect(try daemon.vigil(["disable", "demo"]).status == 0)
            try await daemon.wait("its end") { try daemon.clips().allSatisfy { !($0["end"] is NSNull) } }
            if number == 1 {
                try await Task.sleep(for: .seconds(2))
                #expect(try daemon.vigil(["enable", "demo"]).status == 0)
            }
        }
        let forwarder = try Forwarder(to: daemon.socket)
        defer { forwarder.end() }
        let clips = try daemon.clips().map { try RecordedClip($0, root: daemon.root) }
        try await daemon.wait("a time that is over") { clips.allSatisfy(\.isOver) }
        try await body(daemon, forwarder, clips)
    }

    /// The hashes of the decoded frames, in order.
    private func frames(_ input: String, _ track: String = "v") throws -> [String] {
        let told = try RunningDaemon.run(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-nostdin", "-i", input, "-map", "0:\(track):0", "-fps_mode", "passthrough", "-f",
                "framemd5", "-",
            ])
        #expect(told.status == 0, "\(input): \(told.errors)")
        return told.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    static func time(_ ms: Int64) -> String {
        let second = Date(timeIntervalSince1970: Double(ms / 1_000)).formatted(.iso8601).dropLast()
        return "\(second).\(String(ms % 1_000 + 1_000).dropFirst())Z"
    }

    @Test("HLS, DASH and one movie give the frames of the clips, each once and in order, and nothing else")
    func frames() async throws {
        try await recorded { daemon, forwarder, clips in
            let times = "from=\(clips[0].start)&to=\(clips[1].after)"
            let stored = try clips.flatMap { try frames($0.video) }
            // A busy machine leaves some out.
            #expect(stored.count >= 100)
            let path = forwarder.base + "/v1/cameras/demo/"
            for name in ["play.m3u8", "play/video.m3u8", "play.mpd", "play.mp4"] {
                let played = try frames("\(path)\(name)?\(times)")
                #expect(played == stored, "\(name): \(played.count) of \(stored.count)")
            }
            // Sound: the frames of the clips, perhaps one less at the border of two.
            let sound = try clips.flatMap { try frames($0.audio, "a") }.count
            #expect(abs(try frames("\(path)play.m3u8?\(times)", "a").count - sound) <= 2)
            // A part of one clip begins with the key frame before the wish.
            let begin = clips[0].startMs + 4_500
            let part = try frames("\(path)play/video.m3u8?from=\(Self.time(begin))&to=\(Self.time(begin + 3_000))")
            let first = try #require(part.first.flatMap { stored.firstIndex(of: $0) })
            #expect(first > 0 && part.count < stored.count && part == Array(stored[first..<first + part.count]))
        }
    }

    @Test("Times and holes are those of the recording, lists are well formed, and ranges give the bytes of the files")
    func lists() async throws {
        try await recorded { daemon, forwarder, clips in
            let times = "?from=\(clips[0].start)&to=\(clips[1].after)"
            let variants = try forwarder.get("/v1/cameras/demo/play.m3u8\(times)")
            let text = String(decoding: variants.body, as: UTF8.self)
            #expect(variants.fields["content-type"] == "application/vnd.apple.mpegurl")
            for part in [
                "RESOLUTION=640x360", "FRAME-RATE=", "AUDIO=\"sound\"", "mp4a.40.2", "avc1.",
            ] {
                #expect(text.contains(part), "\(part) in \(text)")
            }
            let list = try forwarder.get("/v1/cameras/demo/play/video.m3u8\(times)")
            let lines = String(decoding: list.body, as: UTF8.self).split(separator: "\n").map(String.init)
            let shown = lines.filter { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") }.map { String($0.dropFirst(25)) }
            try #require(shown.count == 2)
            for (time, clip) in zip(shown, clips) {
                #expect((-1...1).contains(RecordedClip.ms(time) - clip.startMs), "\(time) of \(clip.start)")
            }
            #expect(lines.filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 1 && lines.last == "#EXT-X-ENDLIST")
            // Header and ranges together are the file.
            var bytes: [Int: Data] = [:]
            for (range, address) in zip(lines, lines.dropFirst()) where range.hasPrefix("#EXT-X-BYTERANGE:") {
                let numbers = range.dropFirst(17).split(separator: "@").compactMap { Int($0) }
                let clip = try #require(address.split(separator: "/").dropLast(2).last.flatMap { Int($0) })
                let plain = "/v1/clips/\(clip)/tracks/video"
                if bytes[clip] == nil { bytes[clip] = try forwarder.get(plain, ["-r", "0-\(numbers[1] - 1)"]).body }
                let part = try forwarder.get(plain, ["-r", "\(numbers[1])-\(numbers[1] + numbers[0] - 1)"])
                #expect(part.status == 206 && part.body.count == numbers[0])
                bytes[clip]? += part.body
            }
            for clip in clips {
                #expect(bytes[clip.id] == FileManager.default.contents(atPath: clip.video))
                let whole = try forwarder.get("/v1/clips/\(clip.id)/tracks/audio")
                #expect(whole.status == 200 && whole.body == FileManager.default.contents(atPath: clip.audio))
            }
            // Key frames alone: each range, behind the header, shows its picture.
            let keys = try forwarder.get("/v1/cameras/demo/play/keys.m3u8\(times)")
            let told = String(decoding: keys.body, as: UTF8.self).split(separator: "\n").map(String.init)
            let ranges = told.filter { $0.hasPrefix("#EXT-X-BYTERANGE:") }.map { String($0.dropFirst(17)) }
            #expect(told.contains("#EXT-X-I-FRAMES-ONLY") && ranges.count > 5)
            let stored = try frames(clips[0].video)
            for (number, range) in ranges.prefix(3).enumerated() {
                let numbers = range.split(separator: "@").compactMap { Int($0) }
                let file = try #require(FileManager.default.contents(atPath: clips[0].video))
                let header = try #require(
                    lines.first { $0.hasPrefix("#EXT-X-MAP:") }?.split(separator: "\"")[3].dropLast(2))
                let single = daemon.folder + "/key.mp4"
                try (file.prefix(try #require(Int(header))) + file[numbers[1]..<numbers[0] + numbers[1]]).write(
                    to: URL(fileURLWithPath: single))
                let shown = try RunningDaemon.run(
                    "/usr/bin/ffmpeg",
                    ["-v", "quiet", "-nostdin", "-i", single, "-frames:v", "1", "-f", "framemd5", "-"])
                let hash = shown.output.split(separator: "\n").last?.split(separator: ",").last
                #expect(hash.map { $0.trimmingCharacters(in: .whitespaces) } == stored[number * 30])
            }
            for path in ["?from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z"] {
                #expect(try forwarder.get("/v1/cameras/demo/play.m3u8\(path)").status == 404)
            }
        }
    }

    @Test("A clip that grows is played up to its last fragment; its list gets longer, its tag changes, its ranges stay")
    func growing() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let forwarder = try Forwarder(to: daemon.socket)
        defer { forwarder.end() }
        let start = try #require(try daemon.clips().first?["start"] as? String)
        let list = "/v1/cameras/demo/play/video.m3u8?from=\(start)&skipHoles=1"
        try await daemon.wait("a first segment") { try forwarder.get(list).status == 200 }
        let before = String(decoding: try forwarder.get(list).body, as: UTF8.self)
        #expect(before.contains("#EXT-X-PLAYLIST-TYPE:EVENT\n") && !before.contains("ENDLIST"))
        let track = try forwarder.get("/v1/clips/1/tracks/video")
        let tag = try #require(track.fields["etag"])
        #expect(track.status == 200 && !tag.hasPrefix("W/"))
        let head = try forwarder.get("/v1/clips/1/tracks/video", ["-I"])
        #expect(head.status == 200 && head.fields["accept-ranges"] == "bytes" && head.body.count < 2_000)
        try await daemon.wait("two more segments") {
            let now = String(decoding: try forwarder.get(list).body, as: UTF8.self)
            return now.hasPrefix(before)
                && now.components(separatedBy: "#EXTINF").count
                    >= before.components(separatedBy: "#EXTINF").count + 2
        }
        let more = try forwarder.get("/v1/clips/1/tracks/video", ["-r", "100-200", "-H", "If-Range: \(tag)"])
        #expect(more.status == 200 && more.body.count > track.body.count && more.body.starts(with: track.body))
        let now = try #require(more.fields["etag"])
        #expect(now != tag)
        // The first bytes of any state are the same.
        let part = try forwarder.get("/v1/clips/1/tracks/video", ["-r", "100-200"])
        #expect(part.status == 206 && part.body == track.body[100...200])
        let beyond = try forwarder.get("/v1/clips/1/tracks/video", ["-r", "999999999-"])
        #expect(beyond.status == 416 && beyond.fields["content-range"]?.hasPrefix("bytes */") == true)
        #expect(try daemon.vigil(["disable", "demo"]).status == 0)
        try await daemon.wait("its end") { try daemon.clips().allSatisfy { !($0["end"] is NSNull) } }
        let clip = try RecordedClip(try #require(try daemon.clips().first), root: daemon.root)
        try await daemon.wait("a time that is over") { clip.isOver }
        let played = try frames("\(forwarder.base)/v1/cameras/demo/play.mp4?from=\(clip.start)&to=\(clip.after)")
        #expect(played == (try frames(clip.video)))
    }
}

/// A clip that was recorded, as the list tells it.
struct RecordedClip {
    let id: Int
    let start: String
    let end: String
    let video: String
    let audio: String

    init(_ clip: [String: Any], root: String) throws {
        id = try #require(clip["id"] as? Int)
        start = try #require(clip["start"] as? String)
        end = try #require(clip["end"] as? String)
        let tracks = try #require(clip["tracks"] as? [[String: Any]])
        func path(_ kind: String) throws -> String {
            let track = try #require(tracks.first { $0["kind"] as? String == kind })
            return root + "/" + (try #require(track["path"] as? String))
        }
        video = try path("video")
        audio = try path("audio")
    }

    /// Milliseconds since 1970.
    var startMs: Int64 { Self.ms(start) }
    var endMs: Int64 { Self.ms(end) }
    /// A moment behind its last picture: its end is when that came, which is not when it is shown.
    var after: String { PlaybackTests.time(endMs + 2_000) }
    /// Whether that is past.
    var isOver: Bool { Date().timeIntervalSince1970 * 1_000 > Double(endMs + 2_000) }

    static func ms(_ text: String) -> Int64 {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return Int64(((formatter.date(from: text)?.timeIntervalSince1970 ?? 0) * 1_000).rounded())
    }
}
