import Foundation
import Testing
import VigilKit

/// The part of a camera's picture that is shown, by the built program; ffmpeg cuts the whole picture beside it.
@Suite("The part of a picture that is shown", .serialized)
struct ViewportTests {
    /// The brightness of each pixel of a picture, of which ffmpeg takes `part` (a filter), as 320 by 180.
    private func pixels(_ picture: String, _ part: String = "null") throws -> [UInt8] {
        let raw = picture + ".gray"
        let told = try RunningDaemon.run(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-i", picture, "-vf", part + ",scale=320:180:flags=area", "-f",
                "rawvideo", "-pix_fmt", "gray", raw,
            ])
        #expect(told.status == 0, "\(told.errors)")
        return [UInt8](try #require(FileManager.default.contents(atPath: raw)))
    }

    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, one.count))
    }

    /// Width and height of a picture.
    private func size(_ picture: String) throws -> String {
        try RunningDaemon.run(
            "/usr/bin/ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", picture]
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// What `vigil snapshot front` writes.
    private func snapshot(_ daemon: RunningDaemon, _ words: [String]) throws -> String {
        let file = daemon.folder + "/\(UUID().uuidString.prefix(8)).jpg"
        let told = try daemon.vigil(["snapshot"] + words + ["-o", file])
        #expect(told.status == 0, "\(told)")
        return file
    }

    /// That a picture shows the part of the whole one that the filter cuts, and not the other one.
    private func compare(_ daemon: RunningDaemon, _ words: [String], _ part: String, _ other: String) throws {
        let (shown, whole) = (try snapshot(daemon, words), try snapshot(daemon, words + ["--whole"]))
        #expect(try size(shown) == "320,180" && size(whole) == "640,360", "\(words)")
        let (same, far) = (
            difference(try pixels(shown), try pixels(whole, part)),
            difference(try pixels(shown), try pixels(whole, other))
        )
        #expect(same < 4 && same * 3 < far, "\(words): \(same), \(far)")
    }

    @Test(
        "Pictures and frames show it, also turned; recordings, their exports and live movies stay whole; state and restart keep it"
    )
    func shown() async throws {
        let folder = try RunningDaemon.freshFolder()
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous",
            "cameras: { front: { main: demo, policy: all, detection: 'off' } }")
        var daemon = try RunningDaemon(folder: folder, config: config)
        defer { daemon.discard() }
        func length() throws -> Int {
            let tracks = try daemon.clips().last?["tracks"] as? [[String: Any]]
            return tracks?.map { $0["durationMs"] as? Int ?? 0 }.min() ?? 0
        }
        try await daemon.wait("five seconds of a clip") { try length() >= 5_000 }
        /// A moment of the last clip.
        func moment() throws -> String {
            let start = try #require(try daemon.clips().last?["start"] as? String)
            return PlaybackTests.time(try #require(WallTime(rfc3339: start)).ms + 1_500)
        }
        let first = try moment()

        // A reader that is there before: the next frame shows the part.
        let output = folder + "/frames"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: RunningDaemon.program)
        reader.arguments = ["frames", "front", "--width", "1280", "--fps", "5", "--socket", daemon.socket]
        reader.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        reader.standardError = FileHandle.nullDevice
        try reader.run()
        defer { if reader.isRunning { kill(reader.processIdentifier, SIGKILL) } }
        func heads() throws -> [FrameHead] {
            var (rest, heads) = (try Data(contentsOf: URL(fileURLWithPath: output))[...], [FrameHead]())
            while let head = FrameHead(rest), rest.count >= FrameHead.length + head.count {
                heads.append(head)
                rest = rest.dropFirst(FrameHead.length + head.count)
            }
            return heads.filter { $0.content == .yuv420p }
        }
        try await daemon.wait("a whole frame") { try heads().last?.width == 640 }

        let set = try daemon.vigil(["camera", "set", "front", "viewport=0.5,0,1,0.5"])
        #expect(set.status == 0 && set.output.contains("0.5,0,1,0.5"), "\(set)")
        try await daemon.wait("the journal says who") {
            daemon.log.contains("setting changed: viewport, from 0,0,1,1 by default, to 0.5,0,1,0.5, by uid")
        }
        try await daemon.wait("a frame of the part") { try heads().last?.width == 320 }
        #expect(try heads().last?.height == 180)
        let before = try daemon.clips().count

        let (upper, lower) = ("crop=iw/2:ih/2:iw/2:0", "crop=iw/2:ih/2:0:ih/2")
        try compare(daemon, ["front", first], upper, lower)
        #expect(try size(snapshot(daemon, ["front"])) == "320,180")
        #expect(try size(snapshot(daemon, ["front", "--whole"])) == "640,360")
        let forwarder = try Forwarder(to: daemon.socket)
        defer { forwarder.end() }
        for (name, wanted) in [("picture?at=\(first)", "320,180"), ("picture?at=\(first)&whole=true", "640,360")] {
            let file = folder + "/moment.jpg"
            try forwarder.get("/v1/cameras/front/\(name)").body.write(to: URL(fileURLWithPath: file))
            #expect(try size(file) == wanted, "\(name)")
        }
        let told = try forwarder.get("/v1/cameras/front/capabilities")
        let capabilities = try JSONDecoder().decode(CameraCapabilities.self, from: told.body)
        #expect(capabilities.viewport == Viewport(x1: 0.5, y1: 0, x2: 1, y2: 0.5) && capabilities.rotation == 0)
        let states = try JSONDecoder().decode([CameraState].self, from: forwarder.get("/v1/states").body)
        #expect(states.first?.viewport == capabilities.viewport)
        // What is coded stays whole.
        let exported = folder + "/exported.mp4"
        let end = PlaybackTests.time(try #require(WallTime(rfc3339: first)).ms + 1_000)
        #expect(try daemon.vigil(["export", "front", "--from", first, "--to", end, "-o", exported]).status == 0)
        #expect(try size(exported).hasPrefix("640,360"))
        let live = folder + "/live.mp4"
        let movie = forwarder.base + "/v1/cameras/front/live.mp4?sound=none"
        // Of a movie that ends amid the head of a fragment ffprobe reads nothing.
        var seen = ""
        for bytes in [300_000, 310_000, 320_000] where !seen.hasPrefix("640,360") {
            _ = try RunningDaemon.run("/bin/sh", ["-c", "curl -s -m 120 '\(movie)' | head -c \(bytes) > \(live)"])
            seen = try size(live)
        }
        #expect(seen.hasPrefix("640,360"))
        #expect(try daemon.clips().count == before, "no clip ends for it")

        // Of the turned picture it is the same place, which is another part of what the camera sends.
        #expect(try daemon.vigil(["camera", "set", "front", "rotation=180"]).status == 0)
        try await daemon.wait("five seconds of the turned clip") { try daemon.clips().count == 2 && length() >= 5_000 }
        try compare(daemon, ["front", moment()], upper, lower)
        let now = try forwarder.get("/v1/cameras/front/capabilities").body
        #expect(try JSONDecoder().decode(CameraCapabilities.self, from: now).rotation == 180)
        // The clip before is as it was recorded.
        try compare(daemon, ["front", first], upper, lower)

        daemon.end(SIGKILL)
        daemon = try RunningDaemon(folder: folder, config: config)
        try await daemon.wait(camera: "front", coverage: "recorded")
        #expect(try size(snapshot(daemon, ["front", first])) == "320,180")
        let bad = try daemon.vigil(["camera", "set", "front", "viewport=0,0,1,0.5"])
        #expect(bad.status == 1 && bad.errors.contains("another form"), "\(bad)")
        #expect(try daemon.vigil(["camera", "set", "front", "viewport=default"]).status == 0)
        #expect(try size(snapshot(daemon, ["front", first])) == "640,360")
        #expect(daemon.end() == 0)
    }
}
