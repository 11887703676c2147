import Foundation
import Testing

/// A camera that hangs upside down, as players and people see it; ffmpeg and ffprobe are the judges.
@Suite("Turned pictures", .serialized)
struct RotationTests {
    private func configuration(_ folder: String, _ rotation: String) throws {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n".write(
            toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try """
        http: { listen: none }
        policies: [ policies/ ]
        cameras: { front: { main: demo, policy: all, detection: 'off'\(rotation) } }

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
    }

    /// By how many degrees players turn the picture of a file or list; nil: as it is.
    private func rotation(_ input: String) throws -> String? {
        let told = try RunningDaemon.run(
            "/usr/bin/ffprobe",
            [
                "-v", "quiet", "-select_streams", "v", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0",
                input,
            ])
        let text = told.output.split(whereSeparator: { "\n,".contains($0) }).first.map(String.init)
        return text == "-180" ? "180" : text
    }

    /// The brightness of each pixel of the first picture, 640 by 360, turned as its file says unless `options` say otherwise.
    private func pixels(_ input: String, _ options: String...) throws -> [UInt8] {
        let raw = input + ".gray"
        let told = try RunningDaemon.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-nostdin", "-y"] + options + [
                "-i", input, "-frames:v", "1", "-s", "640x360", "-f", "rawvideo", "-pix_fmt", "gray", raw,
            ])
        #expect(told.status == 0, "\(told.errors)")
        return [UInt8](try #require(FileManager.default.contents(atPath: raw)))
    }

    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
        Double(zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(max(1, one.count))
    }

    private func clips(_ daemon: RunningDaemon, _ count: Int) async throws {
        try await daemon.wait("five seconds of clip \(count)") {
            let clips = try daemon.clips()
            let tracks = clips.last?["tracks"] as? [[String: Any]]
            return clips.count == count && tracks?.allSatisfy { $0["durationMs"] as? Int ?? 0 >= 5_000 } == true
        }
    }

    @Test(
        "A half turn is in the media that is written from then on, in what is exported, played and shown; older clips keep theirs"
    )
    func half() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try configuration(folder, "")
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        try await clips(daemon, 1)
        try configuration(folder, ", rotation: 180")
        // The daemon sees the file change by itself, too; whoever is first is told what changed.
        let reloaded = try daemon.vigil(["reload"])
        let words = ["camera front is turned by 180", "nothing changed"]
        #expect(reloaded.status == 0 && words.contains { reloaded.output.contains($0) }, "\(reloaded)")
        try await clips(daemon, 2)
        // Without a hole: the clip that follows is chained to the one before.
        #expect(try daemon.clips().last?["chainedTo"] as? Int == 1)
        let (live, snapshot) = (folder + "/live.jpg", folder + "/snapshot.jpg")
        #expect(try daemon.vigil(["snapshot", "front", "-o", live]).status == 0)

        let forwarder = try Forwarder(to: daemon.socket)
        defer { forwarder.end() }
        let told = try forwarder.get("/v1/cameras/front/capabilities")
        let capabilities = try #require(JSONSerialization.jsonObject(with: told.body) as? [String: Any])
        #expect(capabilities["rotation"] as? Int == 180)
        let begun = folder + "/begun.mp4"
        let some = forwarder.base + "/v1/cameras/front/live.mp4?sound=none"
        _ = try RunningDaemon.run("/bin/sh", ["-c", "curl -s -m 120 '\(some)' | head -c 300000 > \(begun)"])
        #expect(try rotation(begun) == "180")

        #expect(try daemon.vigil(["disable", "front"]).status == 0)
        try await daemon.wait("its end") { try daemon.clips().allSatisfy { !($0["end"] is NSNull) } }
        let recorded = try daemon.clips().map { try RecordedClip($0, root: daemon.root) }
        try await daemon.wait("a time that is over") { recorded.allSatisfy(\.isOver) }
        #expect(try rotation(recorded[0].video) == nil)
        #expect(try rotation(recorded[1].video) == "180")
        // Just after a key frame: a snapshot shows that one, with which an export begins where its edit list is ignored.
        let (from, to) = (PlaybackTests.time(recorded[1].startMs + 10), recorded[1].after)
        let exported = folder + "/exported.mp4"
        #expect(try daemon.vigil(["export", "front", "--from", from, "--to", to, "-o", exported]).status == 0)
        #expect(try rotation(exported) == "180")
        let times = "?from=\(from)&to=\(to)"
        for name in ["play.m3u8", "play.mpd", "play.mp4"] {
            #expect(try rotation("\(forwarder.base)/v1/cameras/front/\(name)\(times)") == "180", "\(name)")
        }

        // Pictures are turned: as ffmpeg turns the key frame, not as it is in the file.
        #expect(try daemon.vigil(["snapshot", "front", from, "-o", snapshot]).status == 0)
        let shown = try pixels(snapshot)
        let turned = try pixels(exported, "-ignore_editlist", "1")
        let plain = try pixels(exported, "-ignore_editlist", "1", "-noautorotate")
        let (same, other) = (difference(shown, turned), difference(shown, plain))
        #expect(same < 1 && other > 10, "\(same), \(other)")
        let now = try pixels(live)
        #expect(difference(now, turned) < difference(now, plain))
        let moment = folder + "/moment.jpg"
        try forwarder.get("/v1/cameras/front/picture?at=\(from)").body.write(to: URL(fileURLWithPath: moment))
        #expect(difference(try pixels(moment), turned) < difference(try pixels(moment), plain))

        // One movie turns all of its pictures alike: what is turned otherwise is left out, and that is told.
        let both = try daemon.vigil(
            ["export", "front", "--from", recorded[0].start, "--to", to, "-o", folder + "/both.mp4"])
        #expect(
            both.status == 3 && both.errors.contains("clip 2") && both.errors.contains("turned otherwise"), "\(both)")
        #expect(try rotation(folder + "/both.mp4") == nil)
    }
}
