import Foundation
import Testing
import VigilKit

@Suite("Cameras beyond their budget", .serialized)
struct CameraBudgetTests {
    /// Kinds of cameras, and the bounds of which each passes one.
    private static let kinds: [String: [String]] = [
        "crumbs": ["of a processor"], "bigframes": ["(byte rate)", "of a processor"],
        "tinyframes": ["(frame rate)", "of a processor"], "smallsound": ["(frame rate)", "of a processor"],
        "changing": ["(stream changes)"],
    ]
    /// The watchdog of the unit.
    private static let watchdogSec = 30

    @Test(
        "each is hung up with the name of its bound and left alone for minutes; the camera beside them and the watchdog go on (H1)",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func beyond() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try Rig("h264-aac.mp4", options: [], in: folder)
        defer { rig.end() }
        let hostile = try HostileCameras(Self.kinds.keys.sorted())
        defer { hostile.end() }
        let notified = try Notified(in: folder)
        defer { notified.end() }
        let cameras = hostile.urls.merging(["front": rig.url]) { $1 }.map { name, url in
            "  \(name): { main: \"\(url)\", policy: all, detection: 'off' }\n"
        }
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous", "cameras:\n" + cameras.joined())
        let daemon = try RunningDaemon(
            folder: folder, config: config,
            environment: ["NOTIFY_SOCKET": notified.path, "WATCHDOG_USEC": "\(Self.watchdogSec * 1_000_000)"])
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        for kind in Self.kinds.keys.sorted() {
            try await daemon.wait("the hang-up of \(kind) for its budget") {
                // Who is to take too much of a processor must get as much first, whatever else this machine does.
                [hostile.pid, daemon.pid].forEach(prefer)
                return try daemon.state(kind).first?["lastFailure"] as? String == "budget"
            }
        }
        for state in try daemon.state() {
            let camera = try #require(state["camera"] as? String)
            guard let bounds = Self.kinds[camera] else { continue }
            let why = state["why"] as? String ?? ""
            #expect(bounds.contains { why.contains($0) }, "\(camera): \(why)")
            #expect(state["coverage"] as? String == "linkLost")
            #expect((state["hangUpOverdueMs"] as? Int) == nil)
        }
        // The last back-off began before; none is dialled again while the watchdog is fed twice more.
        let dials = Self.kinds.keys.map { daemon.dials(of: $0) }
        let fed = notified.times.count
        try await daemon.wait("the watchdog") { notified.times.count >= fed + 2 }
        #expect(Self.kinds.keys.map { daemon.dials(of: $0) } == dials)
        let times = notified.times
        let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max()
        #expect(try #require(longest) < .seconds(Self.watchdogSec))
        let state = try #require(try daemon.state("front").first)
        #expect(state["coverage"] as? String == "recorded" && state["lastFailure"] == nil)
        #expect(daemon.end() == 0)
        try daemon.recordedWhole("front", of: rig)
    }

    /// Kinds of cameras of which no clip can hold a track or units, and the words that tell it.
    private static let refused = [
        "badsets": "units left out", "hugesets": "units left out", "object42": "track not recorded",
    ]

    @Test(
        "What no clip can hold of a camera is told and left out, and at no moment is that the storage's fault (H1)",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func refused() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let hostile = try HostileCameras(Self.refused.keys.sorted())
        defer { hostile.end() }
        let cameras = hostile.urls.map { "  \($0): { main: \"\($1)\", policy: all, detection: 'off' }\n" }
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous, clipLength: 10s", "cameras:\n" + cameras.joined())
        let began = WallTime(ms: Int64(Date().timeIntervalSince1970 * 1_000))
        let daemon = try RunningDaemon(folder: folder, config: config)
        defer { daemon.end(SIGKILL) }
        for (kind, words) in Self.refused {
            try await daemon.wait("what is left out of \(kind)") {
                daemon.log.split(separator: "\n").contains { $0.contains(kind) && $0.contains(words) }
            }
            // The rest is recorded, into one clip after the other.
            try await daemon.wait("two whole clips of \(kind)") {
                try daemon.clips("camera=\(kind)").count { $0["ended"] as? String == "length" } >= 2
            }
        }
        let now = WallTime(ms: Int64(Date().timeIntervalSince1970 * 1_000))
        for kind in Self.refused.keys.sorted() {
            let path = "/v1/cameras/\(kind)/coverage?from=\(began.rfc3339)&to=\(now.rfc3339)"
            let answer = try daemon.ask("GET", path)
            try #require(answer.status == 200, "\(answer)")
            let said = try #require(
                JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
            let labels = (said["stretches"] as? [[String: Any]] ?? []).map { $0["label"] as? String ?? "none" }
            #expect(labels.contains("recorded") && !labels.contains("storage"), "\(kind): \(labels)")
            let state = try #require(try daemon.state(kind).first)
            #expect(state["coverage"] as? String == "recorded" && state["lastFailure"] == nil, "\(kind): \(state)")
        }
        #expect(!daemon.log.contains("coverage: no storage"), "\(daemon.log.suffix(3_000))")
        #expect(daemon.end() == 0)
    }
}
