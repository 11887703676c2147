import Foundation
import Testing
import VigilKit

/// Decoded frames for other programs, of live cameras.
@Suite("Frames for other programs", .serialized)
struct FramesTests {
    private static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    /// 640 by 360 pixels, and 320 by 180.
    private static let media = ["h264-pcmu.mkv", "moving-sub.mp4"]

    /// A daemon that records camera `front`, which has a sub-stream, and its main stream alone, `plain`.
    private func daemon(_ more: String = "") throws -> (RunningDaemon, Rig) {
        let folder = try RunningDaemon.freshFolder()
        let rig = try Rig(
            media: Self.media,
            cameras: ["front": Self.media[0], "front-sub": Self.media[1], "plain": Self.media[0]], in: folder)
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous",
            """
            \(more)
            cameras:
              front: { main: "\(rig.urls["front"] ?? "")", sub: "\(rig.urls["front-sub"] ?? "")", policy: all, detection: 'off' }
              plain: { main: "\(rig.urls["plain"] ?? "")", policy: all, detection: 'off' }
            """)
        return (try RunningDaemon(folder: folder, config: file), rig)
    }

    /// That bytes end within a frame.
    private struct Unfinished: Error {}

    /// Heads with what follows them, as they stand in bytes; nothing may be left over.
    private func items(_ data: Data) throws -> [(head: FrameHead, content: Data)] {
        var (rest, items) = (data[...], [(head: FrameHead, content: Data)]())
        while !rest.isEmpty {
            guard let head = FrameHead(rest) else { throw Unfinished() }
            rest = rest.dropFirst(FrameHead.length)
            guard rest.count >= head.count else { throw Unfinished() }
            items.append((head, Data(rest.prefix(head.count))))
            rest = rest.dropFirst(head.count)
        }
        return items
    }

    /// What `vigil frames` writes.
    private func frames(_ daemon: RunningDaemon, _ arguments: [String]) async throws -> Data {
        let file = daemon.folder + "/frames-\(UUID().uuidString.prefix(8))"
        let words = [RunningDaemon.program, "frames"] + arguments + ["--socket", daemon.socket]
        try await RunningDaemon.aside {
            let done = try RunningDaemon.run("/bin/sh", ["-c", "exec \"$@\" > \(file)", "sh"] + words)
            try #require(done.status == 0, "\(done.errors)")
        }
        return try Data(contentsOf: URL(fileURLWithPath: file))
    }

    @Test(
        "Frames come in the form, size and rate that is asked for, of the sub-stream where there is one, each with its times",
        .enabled(if: isPossible, "needs python3"))
    func forms() async throws {
        let (daemon, rig) = try daemon()
        defer { daemon.discard(rig) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        try await daemon.wait(camera: "plain", coverage: "recorded")
        let raw = try items(await frames(daemon, ["front", "--fps", "5", "--width", "160", "--count", "8"]))
        #expect(raw.count == 8)
        for (index, item) in raw.enumerated() {
            let head = item.head
            #expect(head.content == .yuv420p && head.width == 160 && head.number == UInt64(index + 1) && head.dial >= 1)
            #expect(item.content.count == head.width * head.height * 3 / 2)
            // Not one plane of one value: there is a picture.
            #expect(Set(item.content.prefix(head.width * head.height)).count > 16)
        }
        for (before, after) in zip(raw, raw.dropFirst()) {
            #expect(after.head.mediaUs > before.head.mediaUs && after.head.arrived.ms >= before.head.arrived.ms)
            #expect(before.content != after.content)
        }
        let span = try #require(raw.last).head.mediaUs - raw[1].head.mediaUs
        #expect(span > 900_000, "five a second at most: six pauses took \(span) µs")
        let age = Date().timeIntervalSince1970 * 1_000 - Double(try #require(raw.last).head.arrived.ms)
        #expect(age < 60_000 && age > -1_000, "an age of \(age) ms")
        // Nothing is made larger, so the size tells which stream it is of.
        for (words, width) in [([], 320), (["--stream", "sub"], 320), (["--stream", "main"], 640)] {
            let heads = try items(await frames(daemon, ["front", "--count", "2"] + words)).map(\.head)
            #expect(heads.map(\.width) == [width, width] && heads.map(\.height) == [width * 9 / 16, width * 9 / 16])
        }

        let jpeg = try items(await frames(daemon, ["plain", "--format", "jpeg", "--fps", "10", "--count", "3"]))
        #expect(
            jpeg.count == 3 && jpeg.allSatisfy { $0.head.content == .jpeg && $0.content.starts(with: [0xFF, 0xD8]) })
        let file = daemon.folder + "/bare.yuv"
        try await frames(daemon, ["plain", "--width", "160", "--bare", "--count", "4"]).write(
            to: URL(fileURLWithPath: file))
        let size = "160x\(jpeg[0].head.height * 160 / jpeg[0].head.width / 2 * 2)"
        let read = try RunningDaemon.run(
            "/usr/bin/ffmpeg",
            ["-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", size, "-i", file, "-f", "framemd5", "-"])
        #expect(read.output.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 4, "\(read.errors)")
        #expect(daemon.end() == 0)
    }

    /// A reader that goes on until its frames end, and writes them to `output`: a `FileHandle`, or a `Pipe`.
    private func reader(
        _ daemon: RunningDaemon, _ arguments: [String], to output: Any
    ) throws -> (process: Process, errors: Pipe) {
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: RunningDaemon.program)
        process.arguments = ["frames", "front", "--socket", daemon.socket] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return (process, errors)
    }

    @Test(
        "Privacy and the loss of the camera end a reader or are told to it; it counts as a viewer; there is no place for one too many",
        .enabled(if: isPossible, "needs python3"))
    func ended() async throws {
        let (daemon, rig) = try daemon("viewers: { limit: 1 }")
        defer { daemon.discard(rig) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let file = daemon.folder + "/until-privacy"
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        let output = try #require(FileHandle(forWritingAtPath: file))
        let first = try reader(daemon, ["--fps", "5", "--width", "64"], to: output)
        try await daemon.wait("a reader") { try daemon.viewers() == 1 }
        try await daemon.wait("a frame") {
            try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0 > 100
        }
        let other = try daemon.vigil(["frames", "front", "--count", "1"])
        #expect(other.status == 1 && other.errors.contains("viewers.limit"), "\(other)")
        try rig.command("stop front-sub")
        try await daemon.wait("the loss, and that it is told again") {
            let words = try items(Data(contentsOf: URL(fileURLWithPath: file))).suffix(2)
            return words.count == 2 && words.allSatisfy { $0.content == Data(#"{"lost":true}"#.utf8) }
        }
        try rig.command("start front-sub")
        #expect(try daemon.vigil(["privacy", "front", "on", "--live"]).status == 0)
        first.process.waitUntilExit()
        let said = String(decoding: first.errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(first.process.terminationStatus == 1 && said.contains("have ended: privacy"), "\(said)")
        let hidden = try daemon.vigil(["frames", "front", "--count", "1"])
        #expect(hidden.status == 1 && hidden.errors.contains("privacy"), "\(hidden)")
        // Recording privacy hides nothing from viewers.
        #expect(try daemon.vigil(["privacy", "front", "off", "--live"]).status == 0)
        try await daemon.wait("the end of the viewer") { try daemon.viewers() == 0 }
        #expect(daemon.end() == 0)
    }

    @Test(
        "A reader that takes nothing is cut off, and recording misses no frame meanwhile",
        .enabled(if: isPossible, "needs python3"))
    func slow() async throws {
        let (daemon, rig) = try daemon()
        defer { daemon.discard(rig) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        // The pipe takes less than a frame, and nobody reads it.
        let unread = Pipe()
        let stuck = try reader(daemon, ["--fps", "30", "--stream", "main"], to: unread)
        defer {
            stuck.process.terminate()
            withExtendedLifetime(unread) {}
        }
        // It may have been cut off before anybody looks; then it is listed for a minute.
        try await daemon.wait("a reader") { try daemon.json(["viewers"]).count == 1 }
        try await daemon.wait("the end of the reader") { try daemon.viewers() == 0 }
        // Another one is served at once.
        #expect(try items(await frames(daemon, ["front", "--count", "2"])).count == 2)
        #expect(daemon.end() == 0)
        let video = try FileManager.default.subpathsOfDirectory(atPath: daemon.root + "/clips")
            .filter { $0.contains("front") && $0.hasSuffix(".cmfv") }.sorted().map { daemon.root + "/clips/" + $0 }
        #expect(!video.isEmpty)
        let compared = try RunningDaemon.run(
            "/usr/bin/python3", [Rig.folder + "/compare.py", rig.log, "--camera", "front", "--whole"] + video)
        #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
    }

    @Test("What is no request for frames is refused with the reason")
    func refused() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        for (arguments, word) in [
            (["nobody"], "nobody"), (["demo", "--stream", "sub"], "sub-stream"), (["demo", "--fps", "0"], "1 to 30"),
            (["demo", "--width", "9"], "16 to 3840"), (["demo", "--format", "h264"], "format"),
        ] {
            let refused = try daemon.vigil(["frames"] + arguments)
            #expect(refused.status != 0 && refused.errors.contains(word), "\(arguments): \(refused.errors)")
        }
        #expect(daemon.end() == 0)
    }
}
