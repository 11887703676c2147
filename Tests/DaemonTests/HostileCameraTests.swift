import Foundation
import Synchronization
import Testing

@Suite("Cameras that attack", .serialized)
struct HostileCameraTests {
    private static let kinds = ["unmatched", "stray", "bighead", "headdrip", "flood", "talker", "garbage", "drip"]

    /// Looks at the threads and sockets of a daemon, on a thread of its own: a look that waits for another's answer is late.
    private final class Looks: Sendable {
        private struct State {
            var readers: [String: Int] = [:]
            var sockets = 0
            var isOver = false
        }

        private let state = Mutex(State())

        init(at pid: Int32) {
            Thread.detachNewThread { [self] in
                while !state.withLock({ $0.isOver }) {
                    let (names, open) = (HostileCameraTests.readers(pid), HostileCameraTests.sockets(pid))
                    state.withLock { state in
                        for (name, found) in Dictionary(grouping: names, by: { $0 }) {
                            state.readers[name] = max(state.readers[name] ?? 0, found.count)
                        }
                        state.sockets = max(state.sockets, open)
                    }
                    // It samples: nothing tells when a thread begins.
                    usleep(50_000)
                }
            }
        }

        /// The names of all threads so far.
        var seen: Set<String> { state.withLock { Set($0.readers.keys.map { $0.trimmingCharacters(in: .newlines) }) } }

        /// The most threads of each name, and the most sockets, that were there at once; no more looks.
        func end() -> (readers: [String: Int], sockets: Int) {
            state.withLock { state in
                state.isOver = true
                return (state.readers, state.sockets)
            }
        }
    }

    /// The threads that read cameras, by name.
    private static func readers(_ pid: Int32) -> [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.compactMap { try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/comm", encoding: .utf8) }
            .filter { $0.hasPrefix("in:") }
    }

    /// Sockets that are open.
    private static func sockets(_ pid: Int32) -> Int {
        let folder = "/proc/\(pid)/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name))?.hasPrefix("socket:")
                ?? false
        }
    }

    @Test(
        "They hurt themselves alone: a good camera beside them loses nothing, each has one thread, and the end comes in time (H1, H2)",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func beside() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try Rig("h264-aac.mp4", options: [], in: folder)
        defer { rig.end() }
        let endpoints = try Endpoints(Self.kinds)
        defer { endpoints.end() }
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n"
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        func camera(_ name: String, _ url: String) -> String {
            "  \(name): { main: \"\(url)\", policy: all, detection: 'off' }\n"
        }
        let hostile = try Self.kinds.map { kind in
            let port = try #require(endpoints.ports[kind])
            return camera(kind, "rtsp://127.0.0.1:\(port)/x")
        }
        let head = "http: { listen: none }\npolicies: [ policies/ ]\ncameras:\n"
        try (head + camera("front", rig.url) + hostile.joined())
            .write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        // Long enough for a dial of each that lasts its whole time, its hang-up, and the next.
        let looks = Looks(at: daemon.pid)
        defer { _ = looks.end() }
        let wanted: Set = ["in:front", "in:headdrip", "in:drip", "in:garbage"]
        try await daemon.wait("three attempts at a camera that drips, and a look at each and its failure") {
            let failed = try daemon.state().filter { $0["lastFailure"] != nil }
            return Set(failed.compactMap { $0["camera"] as? String }) == Set(Self.kinds)
                && daemon.dials(of: "headdrip") >= 3 && looks.seen.isSuperset(of: wanted)
        }
        let (readers, sockets) = looks.end()
        #expect(readers.values.allSatisfy { $0 == 1 }, "\(readers)")
        // One for each camera; the others are those of the control socket, the journal and systemd.
        #expect(sockets <= Self.kinds.count + 1 + 12, "\(sockets)")
        let states = try daemon.state()
        #expect(states.allSatisfy { $0["hangUpOverdueMs"] == nil })
        // Where the machine has too little time for them to reach their budget, deadline and silence end them.
        let causes: [String: Set<String>] = [
            "flood": ["budget", "silence"], "stray": ["garbage"], "unmatched": ["budget", "garbage"],
        ]
        for (kind, expected) in causes {
            let failure = states.first { $0["camera"] as? String == kind }?["lastFailure"] as? String
            #expect(expected.contains(failure ?? "none"), "\(kind): \(failure ?? "none")")
        }
        let clip = try #require(try daemon.state("front").first?["clip"] as? Int)
        let begin = ContinuousClock.now
        #expect(daemon.end() == 0)
        #expect(ContinuousClock.now - begin < .seconds(30))
        #expect(clip == 1)
        try daemon.recordedWhole("front", of: rig)
    }
}
