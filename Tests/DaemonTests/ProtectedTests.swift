import Foundation
import Testing

@Suite("Protected clips")
struct ProtectedTests {
    @Test("Retention that protected clips hold up is told as that, and they stay")
    func blocked() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous, clipLength: 10s }\n".write(
            toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try """
        http: { listen: none }
        policies: [ policies/ ]
        cameras: { front: { main: demo, policy: all, detection: 'off' } }

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        try await daemon.wait("a closed clip") { try daemon.clips().contains { $0["ended"] is String } }
        let first = try #require(try daemon.clips().first { $0["ended"] is String }?["id"] as? Int)
        #expect(try daemon.vigil(["protect", "\(first)"]).status == 0)
        #expect(try daemon.vigil(["policy", "set", "all", "retention.maxSize", "1KB"]).status == 0)
        try await daemon.wait("the journal says why") {
            daemon.log.contains("cameraSize of camera front: every closed clip that is left is protected")
        }
        #expect(try daemon.clips().contains { $0["id"] as? Int == first })
        #expect(daemon.end() == 0)
    }
}
