import Foundation
import Testing

@testable import Media

@Suite("Pictures of moments, as a user asks for them", .serialized)
struct MomentTests {
    /// The wall time that the demo camera drew into a picture of 640 pixels a row, in milliseconds since 1970.
    static func clock(_ luma: ArraySlice<UInt8>) -> Int64? {
        let scale = 2
        let digits = (0..<23).map { position -> Character? in
            let left = 2 * scale + position * (DemoFont.width + 1) * scale
            let rows = (0..<DemoFont.height).map { row -> UInt8 in
                (0..<DemoFont.width).reduce(0) { bits, column in
                    let place = (2 * scale + row * scale) * 640 + left + column * scale
                    // The four pixels of a dot.
                    let sum = [0, 1, 640, 641].reduce(0) { $0 + Int(luma[luma.startIndex + place + $1]) }
                    return bits << 1 | (sum > 4 * 125 ? 1 : 0)
                }
            }
            return "0123456789".min { wrong(rows, $0) < wrong(rows, $1) }
        }
        let text = String(digits.map { $0 ?? "?" })
        func part(_ from: Int, _ count: Int) -> String { String(text.dropFirst(from).prefix(count)) }
        let time =
            "\(part(0, 4))-\(part(5, 2))-\(part(8, 2))T\(part(11, 2)):\(part(14, 2)):\(part(17, 2)).\(part(20, 3))Z"
        let ms = RecordedClip.ms(time)
        return ms > 0 ? ms : nil
    }

    private static func wrong(_ rows: [UInt8], _ digit: Character) -> Int {
        zip(rows, DemoFont.rows(digit)).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    }

    /// When each picture of a clip is shown, in milliseconds since 1970, by another reader.
    private func frameTimes(_ clip: RecordedClip) throws -> [Double] {
        let told = try RunningDaemon.run(
            "/usr/bin/ffprobe", ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", clip.video])
        let times = told.output.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }.sorted()
        // A clip starts with its first picture.
        return times.map { Double(clip.startMs) + ($0 - (times.first ?? 0)) * 1_000 }
    }

    /// How far the demo's clock may be from the time that is told, in milliseconds: less than a frame.
    private static let exactMs: Int64 = 50

    /// The pictures of moments: the time that is told of each, and the clock that is in it.
    private func pictures(_ moments: [Int64], _ daemon: RunningDaemon, _ forwarder: Forwarder) throws
        -> [(told: Int64, clock: Int64)]
    {
        var all = Data()
        var told: [Int64] = []
        for moment in moments {
            let at = PlaybackTests.time(moment)
            let answer = try forwarder.get("/v1/cameras/demo/picture?at=\(at)")
            #expect(answer.status == 200, "\(at): \(String(decoding: answer.body, as: UTF8.self))")
            all += answer.body
            told.append(RecordedClip.ms(answer.fields["vigil-at"] ?? ""))
        }
        let file = daemon.folder + "/all.mjpeg"
        try all.write(to: URL(fileURLWithPath: file))
        let raw = daemon.folder + "/all.gray"
        let decoded = try RunningDaemon.run(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-f", "mjpeg", "-i", file, "-fps_mode", "passthrough", "-f",
                "rawvideo",
                "-pix_fmt", "gray", raw,
            ])
        #expect(decoded.status == 0, "\(decoded.errors)")
        let luma = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        try #require(luma.count == moments.count * 640 * 360)
        return try moments.indices.map {
            (told[$0], try #require(Self.clock(luma[$0 * 640 * 360..<($0 + 1) * 640 * 360])))
        }
    }

    @Test(
        "A clip that goes on from the one before, and begins with sound of before its first picture, is shown at its time"
    )
    func chained() async throws {
        let folder = try RunningDaemon.freshFolder()
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous, clipLength: 10s", "cameras: { demo: { main: demo, policy: all } }"
        )
        let daemon = try RunningDaemon(folder: folder, config: file)
        defer { daemon.discard() }
        try await daemon.wait("some seconds of a second clip") {
            let tracks = try daemon.clips().dropFirst().first?["tracks"] as? [[String: Any]]
            return tracks?.count == 2 && tracks?.allSatisfy { $0["durationMs"] as? Int ?? 0 >= 5_000 } == true
        }
        #expect(try daemon.vigil(["disable", "demo"]).status == 0)
        try await daemon.wait("its end") { try daemon.clips().allSatisfy { !($0["end"] is NSNull) } }
        let forwarder = try Forwarder(to: daemon.socket)
        defer { forwarder.end() }
        // There may be more of them on a busy machine.
        let clips = try daemon.clips().prefix(2).map { try RecordedClip($0, root: daemon.root) }
        try await daemon.wait("a time that is over") { clips.allSatisfy(\.isOver) }
        #expect(try daemon.clips()[1]["chainedTo"] as? Int == 1)
        let moments = stride(from: clips[0].endMs - 1_000, to: clips[1].startMs + 4_000, by: 130).map { $0 }
        // A demo camera that is held up leaves pictures out: then the last one before is shown.
        let shown = try clips.flatMap { try frameTimes($0) }
        for (moment, picture) in zip(moments, try pictures(moments, daemon, forwarder)) {
            #expect(abs(picture.clock - picture.told) <= Self.exactMs, "asked \(moment), \(picture)")
            let wanted = shown.last { $0 <= Double(moment) } ?? 0
            #expect(abs(Double(picture.told) - wanted) <= 1.5, "asked \(moment), \(picture)")
        }
        // The list says of the clip what the catalog says.
        let times = "?from=\(PlaybackTests.time(clips[0].startMs))&to=\(PlaybackTests.time(clips[1].endMs))"
        let list = String(decoding: try forwarder.get("/v1/cameras/demo/play/video.m3u8\(times)").body, as: UTF8.self)
        let dates = list.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") }.map {
            RecordedClip.ms(String($0.dropFirst(25)))
        }
        #expect(dates == clips.map(\.startMs), "\(list)")
        // One movie up to the end of such a clip has its last pictures; the end of a clip may be within the very last one.
        func count(_ input: String) throws -> Int {
            let told = try RunningDaemon.run(
                "/usr/bin/ffprobe",
                [
                    "-v", "error", "-select_streams", "v", "-count_packets", "-show_entries", "stream=nb_read_packets",
                    "-of", "csv=p=0", input,
                ])
            return told.output.split(whereSeparator: { "\n,".contains($0) }).first.flatMap { Int($0) } ?? 0
        }
        let movie = try count("\(forwarder.base)/v1/cameras/demo/play.mp4\(times)")
        let all = try count(clips[0].video) + count(clips[1].video)
        #expect((all - 1...all).contains(movie), "\(movie) of \(all)")
    }

    @Test("Each of 200 moments shows the frame of that time: its clock is in the picture")
    func seeking() async throws {
        try await PlaybackTests().recorded { daemon, forwarder, clips in
            var generator = SystemRandomNumberGenerator()
            var asked: [(clip: Int, ms: Int64)] = clips.indices.map { ($0, clips[$0].startMs) }
            for _ in 0..<200 {
                let clip = Int.random(in: clips.indices, using: &generator)
                asked.append((clip, Int64.random(in: clips[clip].startMs..<clips[clip].endMs - 300, using: &generator)))
            }
            let shown = try pictures(asked.map(\.ms), daemon, forwarder)
            let times = try clips.map { try frameTimes($0) }
            for (moment, picture) in zip(asked, shown) {
                #expect(abs(picture.clock - picture.told) <= Self.exactMs, "asked \(moment.ms), \(picture)")
                // The last frame that is shown by then, else the first one; times are told in whole milliseconds.
                let wanted = times[moment.clip].last { $0 <= Double(moment.ms) } ?? times[moment.clip].first ?? 0
                #expect(abs(Double(picture.told) - wanted) <= 1.5, "asked \(moment.ms), \(picture)")
            }
            // Where nothing was recorded there is no picture.
            let between = PlaybackTests.time((clips[0].endMs + clips[1].startMs) / 2)
            #expect(try forwarder.get("/v1/cameras/demo/picture?at=\(between)").status == 404)
        }
    }

    @Test("The day has what was recorded, and the hour small pictures of it, which go with it")
    func overview() async throws {
        try await PlaybackTests().recorded { daemon, forwarder, clips in
            func json(_ path: String) throws -> Any {
                try JSONSerialization.jsonObject(with: try forwarder.get(path).body)
            }
            let zone = TimeZone.current
            let months = Set(
                clips.map { clip -> String in
                    let date = Date(
                        timeIntervalSince1970: Double(clip.startMs + Int64(zone.secondsFromGMT()) * 1_000) / 1_000)
                    return String(date.formatted(.iso8601).prefix(7))
                })
            var recorded = 0
            for month in months {
                let days = try #require(try json("/v1/cameras/demo/days?month=\(month)") as? [[String: Any]])
                recorded += days.reduce(0) { $0 + ($1["recordedMs"] as? Int ?? 0) }
            }
            #expect(Int64(recorded) == clips.reduce(0) { $0 + $1.endMs - $1.startMs })
            #expect((try json("/v1/cameras/demo/days?month=2001-01") as? [Any])?.isEmpty == true)
            let hour = "hour=\(clips[0].start)"
            let map = try #require(try json("/v1/cameras/demo/thumbnails.json?\(hour)") as? [String: Any])
            let tiles = try #require(map["tiles"] as? [[String: Any]])
            #expect(map["width"] as? Int == 160 && map["height"] as? Int == 90 && !tiles.isEmpty)
            #expect((map["clips"] as? [Int])?.isEmpty == false)
            // Asked after the answer, so that the hour may end meanwhile.
            let isHourOver = Int64(Date().timeIntervalSince1970 * 1_000) / 3_600_000 > clips[0].startMs / 3_600_000
            #expect(isHourOver || map["complete"] as? Bool == false)
            for tile in tiles {
                let at = RecordedClip.ms(tile["at"] as? String ?? "")
                #expect(clips.contains { ($0.startMs..<$0.endMs).contains(at) })
            }
            let sheet = daemon.folder + "/sheet.jpg"
            try forwarder.get("/v1/cameras/demo/thumbnails?\(hour)").body.write(to: URL(fileURLWithPath: sheet))
            let size = try RunningDaemon.run(
                "/usr/bin/ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", sheet])
            let columns = min(16, tiles.count)
            #expect(size.output.hasPrefix("\(160 * columns),\(90 * ((tiles.count + columns - 1) / columns))"))
            #expect(try forwarder.get("/v1/cameras/demo/thumbnails?hour=2001-01-01T00:00:00Z").status == 404)
        }
    }
}
