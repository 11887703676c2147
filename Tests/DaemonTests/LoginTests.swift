import Foundation
import Testing

@Suite("Logins at cameras", .serialized)
struct LoginTests {
    @Test(
        "A login that is supplied, or mended, in its file is tried at once, and no word of it is told",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func supplied() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try Rig(
            "h264-aac.mp4", options: ["--digest", "--user", "root", "--password", "swordfish"], in: folder)
        defer { rig.end() }
        try """
        http: { listen: none }
        policies: [ policies/ ]
        credentials: { yard: { file: login } }
        cameras: { front: { main: \(rig.url), credential: yard, policy: all, detection: 'off' } }

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n"
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        func supply(_ login: String) {
            #expect(
                FileManager.default.createFile(
                    atPath: folder + "/login", contents: Data((login + "\n").utf8),
                    attributes: [.posixPermissions: 0o600]))
        }
        try await daemon.wait("the word that there is no login") {
            daemon.log.contains("dial failed: login refused, credential yard (\(folder)/login)")
        }
        supply("root:marlin")
        try await daemon.wait("the camera's refusal") {
            daemon.log.split(separator: "\n").contains {
                $0.contains("dial failed: login refused") && !$0.contains("credential yard")
            }
        }
        supply("root:swordfish")
        try await daemon.wait(camera: "front", coverage: "recorded")
        #expect(daemon.end() == 0)
        #expect(!daemon.log.contains("swordfish") && !daemon.log.contains("marlin"))
    }
}
