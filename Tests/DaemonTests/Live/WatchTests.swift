import Foundation
import Testing

/// `vigil watch`, `days` and `snapshot` against the whole daemon, which serves no web page here. The player is a script that keeps
/// what it was given.
@Suite("Looking by command", .serialized)
struct WatchTests {
    private func demo(_ body: (RunningDaemon) async throws -> Void) async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer {
            daemon.end(SIGKILL)
            try? FileManager.default.removeItem(atPath: daemon.folder)
        }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        try await body(daemon)
    }

    /// A player that does `line`.
    private func player(_ daemon: RunningDaemon, _ line: String) throws -> String {
        let path = daemon.folder + "/player-\(UUID().uuidString.prefix(8))"
        try "#!/bin/sh\necho \"$*\" >> \(daemon.folder)/arguments\n\(line)\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    /// Kind, codec and number of packets of each track, as ffprobe finds them in the fragments that are whole: it may read no track of a
    /// file that ends amid one.
    private func probe(_ file: String) throws -> [String] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        var (next, end) = (0, 0)
        while next + 8 <= bytes.count {
            let size = bytes[next..<next + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8, next + size <= bytes.count else { break }
            if bytes[next + 4..<next + 8].elementsEqual("mdat".utf8) { end = next + size }
            next += size
        }
        let whole = file + ".whole"
        try Data(bytes[..<end]).write(to: URL(fileURLWithPath: whole))
        let told = try RunningDaemon.run(
            "/usr/bin/ffprobe",
            [
                "-v", "error", "-count_packets", "-show_entries", "stream=codec_type,codec_name,nb_read_packets", "-of",
                "csv=p=0", whole,
            ])
        #expect(told.errors.isEmpty, "\(told.errors)")
        return told.output.split(separator: "\n").map(String.init)
    }

    @Test("A player is given the live picture with its sound, and may be closed; what ends the view is told")
    func live() async throws {
        try await demo { daemon in
            let file = daemon.folder + "/live.mp4"
            // It closes when it has seen enough, as people do.
            let closing = try player(daemon, "head -c 200000 > \(file)")
            let seen = try daemon.vigil(["watch", "demo", "--player", "\(closing) --volume 3"])
            #expect(seen.status == 0 && seen.errors.isEmpty, "\(seen.errors)")
            #expect(try String(contentsOfFile: daemon.folder + "/arguments", encoding: .utf8) == "--volume 3\n")
            let tracks = try probe(file)
            #expect(
                tracks.count == 2 && tracks[0].hasPrefix("h264,video,") && tracks[1].hasPrefix("aac,audio,"),
                "\(tracks)\n\(daemon.log.suffix(3_000))")
            for track in tracks { #expect(track.split(separator: ",").last.flatMap { Int($0) } ?? 0 >= 10, "\(track)") }
            #expect(try daemon.vigil(["watch", "demo", "--mute", "--player", closing]).status == 0)
            let silent = try probe(file)
            #expect(silent.count == 1 && silent.first?.hasPrefix("h264,video,") == true, "\(silent)")

            // Privacy ends it: what came is kept, and the reason is told.
            let begun = daemon.folder + "/begun.mp4"
            async let ended = RunningDaemon.aside { try daemon.vigil(["watch", "demo", "-o", begun]) }
            try await daemon.wait("some of it") {
                let file = try? FileManager.default.attributesOfItem(atPath: begun + ".part")
                return file?[.size] as? Int ?? 0 > 20_000
            }
            #expect(try daemon.vigil(["privacy", "demo", "on", "--hard"]).status == 0)
            let told = try await ended
            #expect(told.status == 1)
            #expect(
                told.errors.contains("the live view of demo has ended; the camera is now: privacy"), "\(told.errors)")
            #expect(try probe(begun).count == 2)
            let refused = try daemon.vigil(["watch", "demo", "--player", closing])
            #expect(refused.status == 1 && refused.errors.contains("privacy is on"), "\(refused.errors)")
        }
    }

    @Test("A player is given what was recorded, byte for byte as an export has it, however long it pauses")
    func recorded() async throws {
        try await demo { daemon in
            try await daemon.wait("five seconds") {
                let tracks = try daemon.clips().first?["tracks"] as? [[String: Any]]
                return tracks?.allSatisfy { $0["durationMs"] as? Int ?? 0 >= 5_000 } == true
            }
            #expect(try daemon.vigil(["disable", "demo"]).status == 0)
            try await daemon.wait("its end") { try daemon.clips().allSatisfy { !($0["end"] is NSNull) } }
            let clip = try RecordedClip(try #require(try daemon.clips().first), root: daemon.root)
            try await daemon.wait("a time that is over") { clip.isOver }
            let (file, exported) = (daemon.folder + "/played.mp4", daemon.folder + "/exported.mp4")
            let keeping = try player(daemon, "cat > \(file)")
            let stretch = [clip.start, "--to", clip.after]
            let played = try daemon.vigil(["play", "demo"] + stretch + ["--player", keeping])
            #expect(played.status == 0, "\(played.errors)")
            let times = ["--from", clip.start, "--to", clip.after]
            #expect(try daemon.vigil(["export", "demo"] + times + ["-o", exported]).status == 0)
            let bytes = try #require(FileManager.default.contents(atPath: file))
            #expect(bytes.count > 100_000 && bytes == FileManager.default.contents(atPath: exported))
            // To a file and to standard output it is the same.
            let written = daemon.folder + "/written.mp4"
            #expect(try daemon.vigil(["watch", "demo"] + stretch + ["-o", written]).status == 0)
            #expect(bytes == FileManager.default.contents(atPath: written))

            let nothing = try daemon.vigil(["watch", "demo", "2001-01-01", "--player", keeping])
            #expect(nothing.status == 1 && nothing.errors.contains("nothing was recorded"), "\(nothing.errors)")
            let absent = try daemon.vigil(["watch", "demo", clip.start, "--player", "/nowhere/vlc"])
            #expect(absent.status == 1)
            #expect(absent.errors.contains("there is no player vlc: install it, or name another"), "\(absent.errors)")
            let broken = try daemon.vigil(
                ["watch", "demo", clip.start, "--player", try player(daemon, "cat >/dev/null; exit 3")])
            #expect(broken.status == 1 && broken.errors.contains("ended with status 3"), "\(broken.errors)")
            let unknown = try daemon.vigil(["watch", "nowhere", "--player", keeping])
            #expect(unknown.status == 1 && unknown.errors.contains("no camera has this name"), "\(unknown.errors)")
        }
    }

    /// Whether a program is installed.
    private static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
    }

    @Test("mpv plays the live picture and what was recorded, and ends", .enabled(if: has("mpv"), "needs mpv"))
    func mpv() async throws {
        try await demo { daemon in
            try await daemon.wait("five seconds") {
                let tracks = try daemon.clips().first?["tracks"] as? [[String: Any]]
                return tracks?.allSatisfy { $0["durationMs"] as? Int ?? 0 >= 5_000 } == true
            }
            let start = try #require(try daemon.clips().first?["start"] as? String)
            // It shows nothing, as fast as it decodes; the configuration of who runs the tests is left out.
            let mpv =
                "mpv --no-config --vo=null --ao=null --untimed --msg-level=all=info --term-status-msg= --frames=40"
            for time in [[], [start, "--to", "now"]] {
                let played = try await RunningDaemon.aside {
                    try daemon.vigil(["watch", "demo"] + time + ["--player", mpv])
                }
                #expect(played.status == 0, "\(time): \(played.output)\(played.errors)")
                let told = played.output + played.errors
                for line in ["Video --vid=1 (*) (h264 640x360", "Audio --aid=1 (*) (aac", "VO: [null] 640x360"] {
                    #expect(told.contains(line), "\(time): \(told)")
                }
                for word in ["Error", "error", "Invalid", "corrupt", "concealing"] {
                    #expect(!told.contains(word), "\(time): \(told)")
                }
            }
        }
    }

    @Test("A signal that ends the command ends its player, and a player takes signals as if it were started by hand")
    func signals() async throws {
        try await demo { daemon in
            let pid = daemon.folder + "/pid"
            // It reads nothing and would stay for ever.
            let staying = try player(daemon, "echo $$ > \(pid).new; mv \(pid).new \(pid); exec sleep 100000")
            func watched(_ command: String, _ body: (Process, pid_t) async throws -> Void) async throws {
                try? FileManager.default.removeItem(atPath: pid)
                let process = Process()
                process.executableURL = URL(fileURLWithPath: RunningDaemon.program)
                process.arguments = ["watch", "demo", "--player", command, "--socket", daemon.socket]
                process.standardError = FileHandle.nullDevice
                try process.run()
                defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
                try await daemon.wait("a player") { FileManager.default.fileExists(atPath: pid) }
                let text = try String(contentsOfFile: pid, encoding: .utf8)
                let player = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
                defer { kill(player, SIGKILL) }
                try await body(process, player)
            }
            for number in [SIGINT, SIGTERM, SIGHUP] {
                try await watched(staying) { process, player in
                    kill(process.processIdentifier, number)
                    try await daemon.wait("the end of the command by \(number)") { !process.isRunning }
                    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
                    #expect(kill(player, 0) == -1, "the player runs after \(number)")
                }
            }
            try await watched(staying) { process, player in
                kill(player, SIGTERM)
                try await daemon.wait("the end of the player") { !process.isRunning }
                #expect(process.terminationReason == .exit && process.terminationStatus == 0)
            }
            // No signal comes too early: the first thing that this player does is to end the command.
            let ending = try player(
                daemon, "echo $$ > \(pid).new; mv \(pid).new \(pid); kill -HUP $PPID; exec sleep 100000")
            for _ in 0..<20 {
                try await watched(ending) { process, player in
                    try await daemon.wait("the end of the command by its player") { !process.isRunning }
                    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGHUP)
                    #expect(kill(player, 0) == -1, "the player runs on")
                }
            }
        }
    }

    @Test("A daemon that ends while a player runs is told")
    func daemonEnds() async throws {
        try await demo { daemon in
            let begun = daemon.folder + "/begun"
            let keeping = try player(daemon, "cat > \(begun)")
            async let ended = RunningDaemon.aside { try daemon.vigil(["watch", "demo", "--player", keeping]) }
            try await daemon.wait("some of it") {
                (try FileManager.default.attributesOfItem(atPath: begun))[.size] as? Int ?? 0 > 20_000
            }
            daemon.end(SIGTERM)
            let over = try await ended
            #expect(over.status == 1 && over.errors.contains("daemon"), "\(over.errors)")
        }
    }

    @Test("The days of a month have what was recorded; a snapshot without a time is live, with one it is recorded")
    func daysAndSnapshots() async throws {
        try await demo { daemon in
            try await daemon.wait("a picture") {
                try daemon.json(["days", "demo"]).first?["recordedMs"] as? Int ?? 0 > 0
            }
            let day = try #require(try daemon.json(["days", "demo"]).last?["day"] as? String)
            let table = try daemon.vigil(["days", "demo", "--month", String(day.prefix(7))])
            #expect(table.status == 0 && table.output.contains(day) && table.output.hasPrefix("DAY"))
            let empty = try daemon.vigil(["days", "demo", "--month", "2001-01"])
            #expect(empty.status == 0 && empty.errors == "nothing was recorded of demo in 2001-01\n")

            #expect(try daemon.vigil(["disable", "demo"]).status == 0)
            try await daemon.wait("its end") { try daemon.clips().allSatisfy { !($0["end"] is NSNull) } }
            let (live, recorded) = (daemon.folder + "/live.jpg", daemon.folder + "/recorded.jpg")
            #expect(try daemon.vigil(["snapshot", "demo", "-o", live]).status == 0)
            #expect(try daemon.vigil(["snapshot", "demo", "now", "-o", recorded]).status == 0)
            #expect(FileManager.default.contents(atPath: live)?.prefix(2) == Data([0xFF, 0xD8]))
            // Live privacy covers the one and not the other.
            #expect(try daemon.vigil(["privacy", "demo", "--live", "on"]).status == 0)
            let refused = try daemon.vigil(["snapshot", "demo", "-o", live, "--force"])
            #expect(refused.status == 1 && refused.errors.contains("privacy is on"), "\(refused.errors)")
            #expect(try daemon.vigil(["snapshot", "demo", "now", "-o", recorded, "--force"]).status == 0)
        }
    }
}
