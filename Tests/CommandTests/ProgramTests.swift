internal import Foundation
internal import Journal
internal import MemorySite
internal import Server
internal import Testing

@Suite("The built program against the real server")
struct ProgramTests {
    /// Runs `body` with a function that runs `vigil` against a served world.
    private func serve(
        _ site: MemorySite = MemorySite(),
        _ body: @Sendable (_ vigil: @Sendable ([String]) async throws -> Run.Result) async throws -> Void
    ) async throws {
        try await RunningSocket.with(site, path: RunningSocket.freshPath()) { path in
            try await body { try await Program.run($0 + ["--socket", path]) }
        }
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    @Test(
        "wrong usage ends with 2 and says so on standard error",
        arguments: [
            ["nonsense"], ["clips", "--nonsense"], ["clips", "--limit", "0"], ["export", "front"],
            ["record", "front", "--for", "30"], ["record", "front", "--for", "2h"],
            ["trigger", "front", "--level", "2"], ["trigger", "front", "--on"], ["trigger", "front", "--source", "x"],
            ["privacy", "front", "maybe"], ["enable"], ["policy", "check"], ["policy", "check", "shop", "--all"],
            ["policy", "check", "a.yaml", "--config", "vigil.yaml"], ["why", "front", "--nonsense"],
            ["watch"], ["watch", "front", "--to", "10:00"],
            ["watch", "front", "-1h", "--mute"], ["watch", "front", "--player", "x", "-o", "y"],
            ["watch", "front", "today", "10:00"], ["days", "front", "--month", "November"],
            ["snapshot", "front"], ["snapshot", "front", "today", "10:00", "-o", "x"],
            ["snapshot", "front", "--nonsense", "-o", "x"], ["snapshot", "front", "-o", "x", "--width", "15"],
        ])
    func usage(arguments: [String]) async throws {
        let result = try await Program.run(arguments)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("Usage:"))
    }

    @Test("help, version and completion end with 0 on standard output")
    func help() async throws {
        let calls = [
            (["--help"], "SUBCOMMANDS:"), (["clips", "--help"], "--from"), (["version"], "vigil 0."),
            (["--version"], "vigil 0."),
            ([], "SUBCOMMANDS:"), (["cloud", "fetch", "--help"], "--cancel"),
            (["--generate-completion-script", "bash"], "vigil"),
            (["--generate-completion-script", "zsh"], "#compdef vigil"),
            (["--generate-completion-script", "fish"], "complete -c 'vigil'"),
        ]
        for (arguments, text) in calls {
            let result = try await Program.run(arguments)
            #expect(result.status == 0)
            #expect(result.output.contains(text))
            #expect(result.errors.isEmpty)
        }
    }

    @Test("where no daemon answers the program ends with 1 and says how to start it")
    func noDaemon() async throws {
        let path = try RunningSocket.freshPath()
        let calls = [
            ["state", "--socket", path], ["state"], ["cloud", "fetch", "-7", "-8"], ["cloud", "key", "clip", "-7"],
            ["cloud", "url", "-7", "--output", "x"], ["delete", "--yes", "--", "-7"],
            ["ptz", "front", "--pan", "-1", "--tilt=-1", "--zoom", "-0.5"],
        ]
        for arguments in calls {
            let result = try await Program.run(arguments, environment: ["VIGIL_SOCKET": path])
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("vigil: no daemon answers at \(path); start it with `vigil run`"))
        }
    }

    @Test("clips as JSON are one array of all, however many pages it takes")
    func clips() async throws {
        try await serve(MemorySite(clips: 1_203)) { vigil in
            let all = try objects(await vigil(["clips", "--json"]).output)
            #expect(all.compactMap { $0["id"] as? Int } == Array(1...1_203))
            #expect(all.first?["chainedTo"] is NSNull)
            let few = try objects(await vigil(["clips", "--json", "--limit", "2"]).output)
            #expect(few.compactMap { $0["id"] as? Int } == [1_202, 1_203])
            let some = try objects(
                await vigil(["clips", "--json", "--from", "2026-11-21 11:00", "--to", "2026-11-21T10:00:41Z"]).output)
            #expect(some.compactMap { $0["id"] as? Int } == [1, 2, 3])
            let table = try await vigil(["clips", "--limit", "1"])
            #expect(
                table.output == """
                    \("  ID  CAMERA  START                LENGTH   SIZE  CAUSE       ENDED   TRACKS")
                    1203  front   2026-11-21 17:40:40     20s  10 MB  continuous  length  avc1.64001f

                    """)
            let standard = try await vigil(["clips"])
            #expect(standard.output.split(separator: "\n").count == 51)
            #expect(standard.errors.contains("older clips are not shown"))
            // Whenever that is: camera back has no clips.
            let recent = try await vigil(["clips", "--camera", "back", "--json", "--from=-1m", "--to", "-5s"])
            #expect(recent.output == "[]\n" && recent.status == 0, "\(recent.errors)")
        }
    }

    @Test("each listing has JSON and a table")
    func listings() async throws {
        try await serve { vigil in
            for (arguments, word) in [
                (["cameras"], "rtsp://192.0.2.1:554/main"), (["state"], "continuous mode of policy shop"),
                (["events"], "quiet"),
                (["policy", "list"], "Records around the clock."),
            ] {
                let json = try await vigil(arguments + ["--json"])
                #expect(json.status == 0)
                #expect(try !objects(json.output).isEmpty)
                let table = try await vigil(arguments)
                #expect(table.status == 0)
                #expect(table.output.contains(word))
            }
            #expect(try await vigil(["status"]).output.contains("up 1h02m, /etc/vigil/vigil.yaml, Europe/Rome"))
            let full = try await vigil(["state", "front"]).output
            #expect(full.contains("pre-roll ring  5s, 2.5 MB of 8 MB"))
            let state = try objects(await vigil(["state", "front", "--json"]).output)
            #expect(state.first?["coverage"] as? String == "recorded")
        }
    }

    @Test("commands change the camera, and a refusal ends with 1 and its reason")
    func commands() async throws {
        try await serve { vigil in
            #expect(
                try await vigil(["record", "front", "--for", "30s"]).output.contains("event 99 by command for 30000 ms")
            )
            #expect(try await vigil(["disable", "front"]).output == "front: disabled, the recording toggle is off\n")
            let triggered = try await vigil(["trigger", "front", "--source", "gate", "--on", "--stale", "30s"])
            #expect(triggered.output.contains("source gate on"))
            let refused = try await vigil(["record", "front"])
            #expect(refused.status == 1)
            #expect(
                refused.errors
                    == "vigil: camera front does not record: its recording toggle is off; "
                    + "`vigil enable front` switches it on\n")
            #expect(try await vigil(["enable", "front"]).status == 0)
            #expect(try await vigil(["privacy", "front", "on"]).output == "front: privacy, privacy is on\n")
            #expect(try await vigil(["privacy", "front", "off"]).output.hasPrefix("front: recorded"))
            #expect(try await vigil(["reload"]).output == "changed: policy shop\n")
            let unknown = try await vigil(["state", "nowhere"])
            #expect(unknown.status == 1)
            #expect(unknown.errors.contains("there is no such camera"))
        }
    }

    @Test("an export is written under its name only when it is whole")
    func export() async throws {
        let site = MemorySite(clips: 5)
        let folder = try URL(fileURLWithPath: RunningSocket.freshPath()).deletingLastPathComponent()
        let file = folder.appendingPathComponent("x.mp4").path
        let wish = ["export", "front", "--from", "2026-11-21T10:00:00Z", "--to", "2026-11-21 11:02:00", "-o"]
        try await serve(site) { vigil in
            let done = try await vigil(wish + [file])
            #expect(done.status == 0)
            #expect(
                done.errors
                    == "no media from 2026-11-21 11:01:40 to 2026-11-21 11:02:00\n\(file): 1m40s, 1 MB\n")
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(MemorySite.exportBytes(clips: 5)))
            let again = try await vigil(wish + [file])
            #expect(again.status == 1)
            #expect(again.errors.contains("exists; name another file or give --force"))
            #expect(try await vigil(wish + [file, "--force"]).status == 0)
            let pipe = file + ".pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let device = try await vigil(wish + [pipe, "--force"])
            #expect(device.status == 1 && device.errors.contains("is no plain file and is not replaced"))
            unlink(pipe)
            site.breakExports(after: 3)
            let torn = try await vigil(wish + [file + "2"])
            #expect(torn.status == 1)
            #expect(torn.errors.contains("broke off its answer"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.mp4"])
        }
    }

    @Test("a snapshot is of an event, of the newest clip, or of a time in every form that is read elsewhere")
    func snapshot() async throws {
        let site = MemorySite()
        let folder = try URL(fileURLWithPath: RunningSocket.freshPath()).deletingLastPathComponent()
        let file = folder.appendingPathComponent("x.jpg").path
        try await serve(site) { vigil in
            for words in [
                ["2", "-o", file], ["front", "-o", file], ["front", "-1h", "-o", file, "--width", "320"],
                ["front", "--output", file, "-10m"], ["front", "2026-11-21 11:00:07", "-o", file],
            ] {
                let result = try await vigil(["snapshot"] + words + ["--force"])
                #expect(result.status == 0, "\(words): \(result.errors)")
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(MemorySite.picture + Array("0".utf8)))
            let again = try await vigil(["snapshot", "front", "-o", file])
            #expect(again.status == 1 && again.errors.contains("exists"))
            let noTime = try await vigil(["snapshot", "front", "noon", "-o", "-"])
            #expect(noTime.status == 1 && noTime.errors.contains("is not a time"))
        }
        let asked = site.snapshots
        #expect(asked.prefix(2) == [.event(2), .camera("front", at: nil)])
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        for (subject, ago) in zip(asked.dropFirst(2), [3_600_000, 600_000] as [Int64]) {
            guard case .camera("front", let moment?) = subject else {
                Issue.record("\(subject)")
                continue
            }
            #expect((now - ago - 60_000...now - ago).contains(moment.ms))
        }
        #expect(asked.dropFirst(4).first == .camera("front", at: WallTime(ms: MemorySite.origin.ms + 7_000)))
    }

    @Test("where there is no player, watch says where a browser and a player find the picture")
    func watch() async throws {
        try await RunningSocket.with(MemorySite(), path: RunningSocket.freshPath()) { path in
            @Sendable func watch(_ words: String...) async throws -> Run.Result {
                try await Program.run(
                    ["watch"] + words + ["--socket", path], environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
            }
            let live = try await watch("front")
            #expect(live.status == 0 && live.output == "http://127.0.0.1:8080/camera/front\n", "\(live)")
            #expect(live.errors.contains("http://127.0.0.1:8080/v1/cameras/front/live/main.m3u8"), "\(live.errors)")
            let past = try await watch("front", "2026-11-21 11:00:07", "--to", "2026-11-21 11:01", "--json")
            let told = try JSONDecoder().decode([String: String].self, from: Data(past.output.utf8))
            #expect(
                told == [
                    "camera": "front", "page": "http://127.0.0.1:8080/camera/front?t=2026-11-21T10:00:07.000Z",
                    "stream": "http://127.0.0.1:8080/v1/cameras/front/play.m3u8?from=2026-11-21T10:00:07.000Z"
                        + "&to=2026-11-21T10:01:00.000Z",
                ])
            let future = try await watch("front", "2999-01-01")
            #expect(future.status == 1 && future.errors.contains("has not come"))
            let backwards = try await watch("front", "2026-11-21 11:00", "--to", "2026-11-21 10:00")
            #expect(backwards.status == 1 && backwards.errors.contains("--to is not after"))
        }
    }

    @Test("a policy is shown, checked and edited; another's change meanwhile is not overwritten")
    func policies() async throws {
        let site = MemorySite()
        let folder = try URL(fileURLWithPath: RunningSocket.freshPath()).deletingLastPathComponent()
        let good = folder.appendingPathComponent("good.yaml").path
        let bad = folder.appendingPathComponent("bad.yaml").path
        try Data("name: shop\nrecording: {}\n".utf8).write(to: URL(fileURLWithPath: good))
        try Data("name: shop\n".utf8).write(to: URL(fileURLWithPath: bad))
        try await RunningSocket.with(site, path: RunningSocket.freshPath()) { path in
            @Sendable func vigil(_ arguments: [String], editor: String = "false") async throws -> Run.Result {
                try await Program.run(
                    arguments + ["--socket", path],
                    environment: ["EDITOR": editor, "VISUAL": "", "TMPDIR": folder.path])
            }
            #expect(try await vigil(["policy", "show", "shop"]).output.contains("# all day"))
            #expect(try await vigil(["policy", "check", good]).status == 0)
            let refused = try await vigil(["policy", "check", bad])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("\(bad):2:1: error: no recording; add recording:"))
            let loaded = try await vigil(["policy", "check", "shop"])
            #expect(loaded.status == 1 && loaded.errors.contains("policy shop: 1 error"))
            #expect(
                loaded.output == """
                    /etc/vigil/policies/shop.yaml:2:3: error: recording.blind: more is missed than recorded; shorten blind \
                    [blind-outlasts-event]
                        60 s  blind

                    """)
            let listed = try await vigil(["policy", "check", "--all", "--json"])
            let answer = try #require(JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [String: Any])
            #expect(listed.status == 1 && answer["valid"] as? Bool == false)
            let finding = try #require((answer["findings"] as? [[String: Any]])?.first)
            #expect(finding["rule"] as? String == "blind-outlasts-event" && finding["line"] as? Int == 2)
            #expect(finding["trace"] as? [[String: String]] == [["at": "60 s", "what": "blind"]])
            #expect(try await vigil(["policy", "check", folder.path + "/none"]).errors.contains("cannot read"))

            #expect(try await vigil(["policy", "edit", "shop"]).errors.contains("the editor false failed"))
            #expect(try await vigil(["policy", "edit", "shop"], editor: "true").output == "shop: nothing changed\n")
            let edited = try await vigil(["policy", "edit", "shop", "--yes"], editor: "sed -i s/all/every/")
            #expect(edited.status == 0)
            #expect(edited.output.contains("+recording: { mode: continuous } # every day"))
            let unanswered = try await vigil(["policy", "edit", "shop"], editor: "sed -i s/every/each/")
            #expect(unanswered.status == 1)
            #expect(unanswered.errors.contains("is kept in"))
            let broken = try await vigil(["policy", "edit", "shop", "--yes"], editor: "sed -i s/recording/recodring/")
            #expect(broken.status == 1)
            #expect(broken.errors.contains("is refused"))
            #expect(try await site.policy(name: "shop").text.contains("# every day"))

            // The editor itself makes somebody else's change happen, so that it falls between reading and applying.
            let rival = "\(Program.path) policy edit shop --yes --socket \(path)"
            let script = folder.appendingPathComponent("rival.sh").path
            try Data("#!/bin/sh\nEDITOR='sed -i s/every/his/' \(rival) >&2\nsed -i s/every/her/ \"$1\"\n".utf8)
                .write(to: URL(fileURLWithPath: script))
            let late = try await vigil(["policy", "edit", "shop", "--yes"], editor: "sh \(script)")
            #expect(late.status == 1)
            #expect(late.errors.contains("it was changed meanwhile"))
            #expect(try await site.policy(name: "shop").text.contains("# his day"))
        }
    }

    @Test("policies are checked without a daemon, from the files of a configuration or one by itself")
    func offlineCheck() async throws {
        let folder = try URL(fileURLWithPath: RunningSocket.freshPath()).deletingLastPathComponent()
        func write(_ name: String, _ text: String) throws -> String {
            let path = folder.appendingPathComponent(name).path
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("policies"), withIntermediateDirectories: false)
        let config = try write(
            "vigil.yaml", "timezone: Europe/Berlin\ncameras: { front: { main: demo, policy: night } }\n")
        let night = try write(
            "policies/night.yaml",
            "name: night\nschedule: [ { days: daily, from: \"22:00\", to: \"03:00\", mode: continuous } ]\n")
        _ = try write("policies/spare.yaml", "name: spare\nrecording: { blind: 50s }\n")
        let socket = ["VIGIL_SOCKET": folder.path + "/none"]
        let good = try await Program.run(["policy", "check", "night", "--config", config], environment: socket)
        #expect(good.status == 0 && good.output == "policy night: good\n", "\(good)")
        let all = try await Program.run(["policy", "check", "--all", "--config", config], environment: socket)
        #expect(all.status == 0 && all.output.contains("[unused]") && all.output.hasSuffix("good, with warnings\n"))
        let alone = try await Program.run(["policy", "check", night], environment: socket)
        #expect(alone.status == 0 && alone.errors.contains("no daemon answers"), "\(alone)")
        _ = try write("policies/spare.yaml", "name: spare\nrecording: { blind: 5m }\n")
        for arguments in [["policy", "check", "--all", "--config", config], ["check", config]] {
            let bad = try await Program.run(arguments, environment: socket)
            #expect(bad.status == 1 && (bad.output + bad.errors).contains("361 s  movement: event 2 begins"), "\(bad)")
        }
        let unknown = try await Program.run(["policy", "check", "x", "--config", config], environment: socket)
        #expect(unknown.status == 1)
    }

    @Test("the log of changes says what changed, by whom, with the difference")
    func policyLog() async throws {
        let folder = try URL(fileURLWithPath: RunningSocket.freshPath()).deletingLastPathComponent()
        let file = folder.appendingPathComponent("journal.json").path
        let entries: [[String: String]] = [
            [
                "MESSAGE_ID": "\(MessageKind.configurationLoaded.id)", "__REALTIME_TIMESTAMP": "1795255200000000",
                "VIGIL_PATH": "/etc/vigil/vigil.yaml", "VIGIL_REVISION": "aaa", "VIGIL_WHY": "the start",
            ],
            [
                "MESSAGE_ID": "\(MessageKind.policyRevised.id)", "__REALTIME_TIMESTAMP": "1795258800000000",
                "VIGIL_POLICY": "shop", "VIGIL_FROM": "111", "VIGIL_TO": "222", "VIGIL_USER": "uid 0, pid 7",
                "VIGIL_DIFFERENCE": "--- shop.yaml 111\n+++ shop.yaml 222\n@@ -1,1 +1,1 @@\n-a: 1\n+a: 2\n",
            ],
            [
                "MESSAGE_ID": "\(MessageKind.policyChanged.id)", "__REALTIME_TIMESTAMP": "1795258800000000",
                "VIGIL_CAMERA": "front", "VIGIL_FROM": "shop 111", "VIGIL_TO": "shop", "VIGIL_REVISION": "222",
                "VIGIL_WHY": "a changed file",
            ],
            [
                "MESSAGE_ID": "\(MessageKind.privacyOn.id)", "__REALTIME_TIMESTAMP": "1795262400000000",
                "VIGIL_CAMERA": "back", "VIGIL_TO": "hard", "VIGIL_USER": "uid 4294967294, pid 8",
            ],
        ]
        let lines = try entries.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
        try await serve { vigil in
            let brief = try await vigil(["policy", "log", "--file", file])
            #expect(brief.output.split(separator: "\n").count == 4 && !brief.output.contains("@@"))
            let all = try await vigil(["policy", "log", "--diff", "--file", file])
            #expect(
                all.output == """
                    2026-11-21 11:00:00  configuration /etc/vigil/vigil.yaml in force, revision aaa, because of the start
                    2026-11-21 12:00:00  policy shop revised, 111 to 222, by root (uid 0, pid 7)
                        @@ -1,1 +1,1 @@
                        -a: 1
                        +a: 2
                    2026-11-21 12:00:00  camera front follows policy shop 222, before shop 111, because of a changed file
                    2026-11-21 13:00:00  camera back: privacy on (hard), by uid 4294967294, pid 8

                    """)
            let shop = try objects(await vigil(["policy", "log", "shop", "--json", "--file", file]).output)
            #expect(shop.compactMap { $0["kind"] as? String } == ["policyRevised", "policyChanged"])
            #expect(shop.first?["user"] as? String == "uid 0, pid 7")
            #expect(shop.first?["time"] as? String == "2026-11-21T11:00:00.000Z")
            let late = try await vigil(["policy", "log", "back", "--since", "2026-11-21 12:30", "--file", file])
            #expect(late.output.split(separator: "\n").count == 1)
            let none = try await vigil(["policy", "log", "nobody", "--file", file])
            #expect(none.status == 0 && none.errors.contains("no changes"))
            #expect(try await vigil(["policy", "log", "--file", file + "2"]).status == 1)
        }
    }

    @Test("a reader that goes away ends a long listing without an error")
    func brokenPipe() async throws {
        try await RunningSocket.with(MemorySite(clips: 2_000), path: RunningSocket.freshPath()) { path in
            let line = "\(Program.path) clips --json --socket \(path) | head -n 1; echo ${PIPESTATUS[0]}"
            let result = try await Run.tool("/bin/bash", ["-c", line])
            #expect(result.output == "[\n0\n")
            #expect(result.errors.isEmpty)
        }
    }

    @Test("the demo's socket in this folder is found where no other is named")
    func demo() async throws {
        try #require(!FileManager.default.fileExists(atPath: "/run/vigil/vigil.sock"), "a daemon is installed here")
        let folder = try URL(fileURLWithPath: RunningSocket.freshPath()).deletingLastPathComponent()
        let demo = folder.appendingPathComponent("vigil-demo")
        try FileManager.default.createDirectory(at: demo, withIntermediateDirectories: false)
        try await RunningSocket.with(MemorySite(), path: demo.path + "/vigil.sock") { _ in
            let result = try await Program.run(["cameras"], environment: ["VIGIL_SOCKET": ""], folder: folder.path)
            #expect(result.status == 0)
            #expect(result.output.contains("front"))
        }
    }
}
