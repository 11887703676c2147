import Foundation
import Testing

@Suite("What is measured and what cameras can do", .serialized)
struct MetricTests {
    /// Prometheus' own checker, of this tree.
    private static let checker = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("promtool").path

    @Test("The demo's metrics please promtool and tell what came; its capabilities are those of its streams")
    func demo() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        func ask(_ path: String) throws -> String { try daemon.ask("GET", path).text }
        try await daemon.wait("a frame rate") { try ask("/v1/cameras/demo/capabilities").contains("frameRate") }
        let answer = try ask("/v1/cameras/demo/capabilities")
        let demo = try #require(JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
        let main = try #require((demo["streams"] as? [[String: Any]])?.first)
        let video = try #require(main["video"] as? [String: Any])
        let clip = try #require(try daemon.clips().first?["tracks"] as? [[String: Any]])
        #expect(main["stream"] as? String == "main" && main["streaming"] as? Bool == true)
        #expect(video["codec"] as? String == clip.first?["codec"] as? String)
        #expect((main["sound"] as? [String: Any])?["codec"] as? String == clip.last?["codec"] as? String)
        #expect((video["frameRate"] as? Double).map { (5...60).contains($0) } == true, "\(answer)")
        #expect(demo["talk"] as? Bool == false && (demo["speeds"] as? [Double])?.contains(0.25) == true)

        let metrics = try ask("/metrics")
        let file = daemon.folder + "/metrics"
        try metrics.write(toFile: file, atomically: true, encoding: .utf8)
        let check = try RunningDaemon.run("/bin/sh", ["-c", "exec \(Self.checker) check metrics <\(file)"])
        #expect(check.status == 0 && check.errors.isEmpty, "\(check)")
        #expect(metrics.contains(#"vigil_camera_coverage{camera="demo",label="recorded"} 1"#))
        #expect(metrics.contains(#"vigil_camera_link{camera="demo",state="streaming"} 1"#))
        #expect(metrics.contains(#"vigil_journal_records_total{kind="daemonReady",priority="notice"} 1"#))
        #expect(metrics.contains("vigil_healthy 1\n") && metrics.contains(#"vigil_storage_state{state="ok"} 1"#))
        func value(_ name: String) throws -> Double {
            let line = try ask("/metrics").split(separator: "\n").first {
                $0.hasPrefix(name + "{") || $0.hasPrefix(name + " ")
            }
            return Double(line?.split(separator: " ").last ?? "") ?? -1
        }
        for name in ["vigil_camera_received_bytes_total", "vigil_camera_received_frames_total"] {
            let before = try value(name)
            #expect(before > 0)
            try await daemon.wait(name) { try value(name) > before }
        }
        #expect(try value("vigil_catalog_bytes") > 0 && value("vigil_camera_ring_limit_bytes") > 0)
        #expect(daemon.end() == 0)
    }
}
