import Foundation
import Machines
import MemorySite
import Server
import Testing

/// What came over one WebSocket of live view.
private struct LiveView {
    var hello: LiveHello?
    var hellos = 0
    /// Header and fragments by track.
    var files: [Int: Data] = [:]
    var fragments: [Int: Int] = [:]
    /// The wall time of the first fragment, in milliseconds since 1970.
    var firstAt: Int64?
    var ended: String?
    var closed: (code: Int, reason: String)?

    mutating func take(_ event: WebSocketClient.Event) throws {
        switch event {
        case .text(let text) where text.contains("tracks"):
            hello = try JSONDecoder().decode(LiveHello.self, from: Data(text.utf8))
            hellos += 1
            files = [:]
        case .text(let text) where text.contains("ended"): ended = text
        case .binary(let bytes):
            let track = Int(bytes[1])
            files[track, default: Data()].append(contentsOf: bytes.dropFirst(10))
            guard bytes[0] == 2 else { break }
            fragments[track, default: 0] += 1
            firstAt = firstAt ?? bytes[2..<10].reduce(0) { $0 << 8 | Int64($1) }
        case .close(let code, let reason): closed = (code, reason)
        default: break
        }
    }
}

@Suite("Live view", .serialized)
struct LiveTests {
    private static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    private static let media = ["h264-pcmu.mkv", "h264-pcma.mkv"]

    /// A daemon with camera `front`, its sub-stream, and nothing that is recorded.
    private func daemon() throws -> (RunningDaemon, Rig) {
        let folder = try RunningDaemon.freshFolder()
        let rig = try Rig(
            media: Self.media, cameras: ["front": Self.media[0], "front-sub": Self.media[1]], in: folder)
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: off",
            """
            cameras:
              front: { main: "\(rig.urls["front"] ?? "")", sub: "\(rig.urls["front-sub"] ?? "")", policy: all }
            """)
        return (try RunningDaemon(folder: folder, config: file), rig)
    }

    /// Opens live view, and gives what came until `isEnough`, or its end.
    private func watch(
        _ daemon: RunningDaemon, _ query: String, until isEnough: (LiveView) throws -> Bool
    ) async throws -> LiveView {
        try await follow(WebSocketClient(daemon.socket, "/v1/cameras/front/live" + query), until: isEnough)
    }

    private func follow(
        _ client: WebSocketClient, until isEnough: (LiveView) throws -> Bool
    ) async throws -> LiveView {
        var view = LiveView()
        for await event in client.events {
            if case .opened(let status, _, let body) = event { try #require(status == 101, "\(body)") }
            try view.take(event)
            if try isEnough(view) { break }
        }
        return view
    }

    private func check(_ view: LiveView, _ daemon: RunningDaemon, _ rig: Rig, camera: String) throws {
        let hello = try #require(view.hello)
        for (track, data) in view.files {
            let file = daemon.folder + "/live-\(camera)-\(track).mp4"
            try data.write(to: URL(fileURLWithPath: file))
            let decoded = try RunningDaemon.run(
                "/usr/bin/ffmpeg", ["-v", "warning", "-nostdin", "-i", file, "-f", "null", "-"])
            #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
            guard hello.tracks[track].kind == "video" else { continue }
            let compared = try RunningDaemon.run(
                "/usr/bin/python3", [Rig.folder + "/compare.py", rig.log, "--camera", camera, "--whole", file])
            #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
        }
    }

    @Test(
        "Live view needs no recording: each frame comes once and plays, from the cached group on; privacy ends it at once",
        .enabled(if: isPossible, "needs python3"), arguments: ["frame", "group"])
    func live(cut: String) async throws {
        let (daemon, rig) = try daemon()
        defer { daemon.discard(rig) }
        try await daemon.wait("the interface") { try daemon.vigil(["status"]).status == 0 }
        let enough = cut == "frame" ? 40 : 3
        let first = try await watch(daemon, "?cut=\(cut)") {
            $0.fragments[0, default: 0] >= enough && $0.fragments[1, default: 0] >= 3
        }
        let hello = try #require(first.hello)
        #expect(hello.tracks.map(\.kind) == ["video", "audio"] && first.hellos == 1)
        #expect(hello.tracks[0].codec.hasPrefix("avc1.") && hello.tracks[1].mime == "audio/mp4; codecs=\"mp4a.40.2\"")
        try check(first, daemon, rig, camera: "front")
        // The toggle is about recording too.
        #expect(try daemon.vigil(["disable", "front"]).status == 0)
        let kept = try WebSocketClient(daemon.socket, "/v1/cameras/front/live?sound=none&cut=\(cut)")
        let second = try await follow(kept) { $0.fragments[0, default: 0] >= enough }
        #expect(second.hello?.tracks.map(\.kind) == ["video"])
        // While one looks there is a group under way: the next one begins with what came before it asked.
        let askedMs = Int64(Date().timeIntervalSince1970 * 1_000)
        let third = try await watch(daemon, "?cut=\(cut)") { $0.firstAt != nil }
        #expect(try #require(third.firstAt) <= askedMs)
        let sub = try await watch(daemon, "?stream=sub&cut=\(cut)") { $0.fragments[0, default: 0] >= enough }
        try check(sub, daemon, rig, camera: "front-sub")
        #expect(try daemon.vigil(["privacy", "front", "on", "--live"]).status == 0)
        let ended = try await follow(kept) { _ in false }
        #expect(ended.ended == #"{"ended":"privacy"}"# && ended.closed?.code == 1_008)
        let refused = try WebSocketClient(daemon.socket, "/v1/cameras/front/live")
        var told: [WebSocketClient.Event] = []
        for await event in refused.events { told.append(event) }
        guard case .text(let why)? = told.dropFirst().first, case .close(1_008, _)? = told.last else {
            return #expect(Bool(false), "\(told)")
        }
        #expect(why.hasPrefix(#"{"ended":"privacy","error":{"#) && why.contains(#""status":409"#), "\(why)")
        #expect(daemon.end() == 0)
    }

    @Test(
        "A loss of the camera is told, and what comes after it is a run of its own; a stop ends viewers",
        .enabled(if: isPossible, "needs python3"))
    func lost() async throws {
        let (daemon, rig) = try daemon()
        defer { daemon.discard(rig) }
        try await daemon.wait("the interface") { try daemon.vigil(["status"]).status == 0 }
        let client = try WebSocketClient(daemon.socket, "/v1/cameras/front/live")
        _ = try await follow(client) { $0.fragments[0, default: 0] >= 5 }
        try rig.command("stop front")
        for await event in client.events where event == .text(#"{"lost":true}"#) { break }
        try rig.command("start front")
        let again = try await follow(client) { $0.fragments[0, default: 0] >= 20 }
        #expect(again.hellos == 1)
        try check(again, daemon, rig, camera: "front")
        let status = Task { try await RunningDaemon.aside { daemon.end() } }
        let ended = try await follow(client) { _ in false }
        #expect(ended.ended == #"{"ended":"draining"}"# && ended.closed?.code == 1_001)
        #expect(try await status.value == 0)
    }

    @Test(
        "Pictures come without video, and low-latency HLS plays in ffmpeg with the frames that were sent",
        .enabled(if: isPossible, "needs python3"))
    func players() async throws {
        let (daemon, rig) = try daemon()
        defer { daemon.discard(rig) }
        try await daemon.wait("the interface") { try daemon.vigil(["status"]).status == 0 }
        let forward = try Forward(daemon.socket)
        defer { forward.end() }
        let live = "http://127.0.0.1:\(forward.port)/v1/cameras/front/live"
        let picture = daemon.folder + "/live.jpg"
        try await RunningDaemon.aside {
            let fetched = try RunningDaemon.run("/usr/bin/curl", ["-sf", "-o", picture, live + ".jpg?width=160"])
            #expect(fetched.status == 0)
            #expect(try Self.probe(picture, ["-show_entries", "stream=codec_name,width"]) == "mjpeg,160")
            // Five pictures of a decoder, not one again and again.
            let moving = try RunningDaemon.run(
                "/usr/bin/ffmpeg",
                [
                    "-v", "error", "-f", "mpjpeg", "-i", live + ".mjpg?stream=sub&fps=10", "-frames:v", "5", "-f",
                    "framemd5", "-",
                ])
            let pictures = moving.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(Set(pictures.map { $0.split(separator: ",").last }).count == 5, "\(moving.errors)")
            let movie = daemon.folder + "/live-hls.mp4"
            let played = try RunningDaemon.run(
                "/usr/bin/ffmpeg", ["-v", "warning", "-i", live + "/main.m3u8", "-t", "6", "-c", "copy", movie])
            #expect(played.status == 0, "\(played.errors)")
            #expect(try Self.probe(movie, ["-show_entries", "stream=codec_name"]) == "h264\naac")
            let compared = try RunningDaemon.run(
                "/usr/bin/python3", [Rig.folder + "/compare.py", rig.log, "--camera", "front", "--whole", movie])
            #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
        }
        try await reloads(live)
        #expect(try daemon.vigil(["privacy", "front", "on", "--live"]).status == 0)
        try await RunningDaemon.aside {
            for file in [".jpg", "/main.m3u8"] {
                let refused = try RunningDaemon.run(
                    "/usr/bin/curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", live + file])
                #expect(refused.output == "409")
            }
        }
        #expect(daemon.end() == 0)
    }

    private static func probe(_ file: String, _ arguments: [String]) throws -> String {
        try RunningDaemon.run("/usr/bin/ffprobe", ["-v", "error", "-of", "csv=p=0"] + arguments + [file]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Follows a list by its directives: each answer has the part that was waited for, and the parts make up the segment.
    private func reloads(_ live: String) async throws {
        try await RunningDaemon.aside {
            func get(_ address: String) throws -> String {
                let answer = try RunningDaemon.run("/usr/bin/curl", ["-sf", "--max-time", "60", live + "/" + address])
                #expect(answer.status == 0, "\(address)")
                return answer.output
            }
            let list = try #require(try get("main.m3u8").split(separator: "\n").last.map(String.init))
            let first = try get(list)
            let hint = try #require(first.firstMatch(of: /PRELOAD-HINT:TYPE=PART,URI="video-(\d+)\.(\d+)\.m4s/))
            let (segment, part) = (try #require(Int(hint.1)), try #require(Int(hint.2)))
            for next in [part, part + 1] {
                let later = try get(list + "&_HLS_msn=\(segment)&_HLS_part=\(next)")
                #expect(later.contains("video-\(segment).\(next).m4s") || later.contains("video-\(segment + 1).0.m4s"))
            }
            let whole = try get(list + "&_HLS_msn=\(segment)")
            #expect(whole.contains("video-\(segment).m4s"))
            let parts = whole.matches(of: /URI="(video-(\d+)\.\d+\.m4s[^"]*)"/).filter { Int($0.2) == segment }
                .map { String($0.1) }
            func size(_ address: String) throws -> Int {
                let answer = try RunningDaemon.run(
                    "/usr/bin/curl", ["-sf", "-o", "/dev/null", "-w", "%{size_download}", live + "/" + address])
                return try #require(Int(answer.output))
            }
            let player = try #require(list.split(separator: "?").last)
            let (sizes, all) = (try parts.map(size), try size("video-\(segment).m4s?\(player)"))
            #expect(sizes.count > 1 && sizes.reduce(0, +) == all)
        }
    }
}

/// A port of this machine at which players reach a daemon's socket.
private final class Forward: Sendable {
    let port: Int
    private let process = Process()
    private let input = Pipe()

    init(_ socket: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Rig.folder + "/../live/forward.py", socket]
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = Awaited(linesOf: output.fileHandleForReading).wait { $0.first }
        port = try #require(line.flatMap { Int($0) })
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
