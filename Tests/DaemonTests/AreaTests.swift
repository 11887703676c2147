import Foundation
import Testing

/// Zones and masks are written into vigil.yaml, and only where they were read (H7).
@Suite("Zones and masks over HTTP", .serialized)
struct AreaTests {
    private static let configuration = """
        http: { listen: none }
        policies: [ policies/ ]
        cameras:
          front:
            main: demo     # ours
            policy: all
            detection: 'off'
            zones: { gate: [ [0, 0], [1, 0], [1, 1] ] }

        """

    private func start(_ folder: String) throws -> RunningDaemon {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous, zones: [ gate ] }\n".write(
            toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try Self.configuration.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        return try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
    }

    private func ask(_ daemon: RunningDaemon, _ method: String = "GET", _ body: String? = nil) throws -> String {
        let answer = try daemon.ask(method, "/v1/cameras/front/areas", body)
        return "\(answer.text) \(answer.status)"
    }

    private func put(_ daemon: RunningDaemon, zones: String, masks: String = "[]", revision: String) throws -> String {
        let body = #"{"zones": \#(zones), "masks": \#(masks), "expectedRevision": "\#(revision)"}"#
        return try ask(daemon, "PUT", body)
    }

    private func revision(_ answer: String) throws -> String {
        try #require(try /"revision" ?: ?"([0-9a-f]{12})"/.firstMatch(in: answer).map { String($0.1) }, "\(answer)")
    }

    private let gate = #"{"name": "gate", "corners": [[0, 0], [1, 0], [1, 1]]}"#
    private let door = #"{"name": "door", "corners": [[0.1, 0.2], [0.45, 0.2], [0.45, 0.9]]}"#

    @Test("They are written beside what people wrote, the version before is kept, and the journal says who did it (H7)")
    func written() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try start(folder)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let first = try revision(try ask(daemon))
        let answer = try put(daemon, zones: "[\(gate), \(door)]", masks: "[\(door)]", revision: first)
        #expect(answer.hasSuffix(" 200") && answer.contains("door"), "\(answer)")
        let file = try String(contentsOfFile: folder + "/vigil.yaml", encoding: .utf8)
        let zones = "zones: { gate: [ [0, 0], [1, 0], [1, 1] ], door: [ [0.1, 0.2], [0.45, 0.2], [0.45, 0.9] ] }"
        #expect(file.contains(zones) && file.contains("main: demo     # ours") && file.contains("masks:"), "\(file)")
        let checked = try RunningDaemon.run(RunningDaemon.program, ["check", folder + "/vigil.yaml"])
        #expect(checked.status == 0, "\(checked)")
        let versions = folder + "/.versions/vigil.yaml"
        let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: versions).first)
        #expect(try String(contentsOfFile: "\(versions)/\(kept)", encoding: .utf8) == Self.configuration)
        // In force at once, and the same once more changes nothing.
        let second = try revision(answer)
        #expect(second != first)
        #expect(
            try revision(try put(daemon, zones: "[\(gate), \(door)]", masks: "[\(door)]", revision: second)) == second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: versions).count == 1)
        try await daemon.wait("the journal") {
            daemon.log.contains("(uid \(getuid()), pid ") || daemon.log.contains("by uid \(getuid()), pid ")
        }
        #expect(daemon.end() == 0)
    }

    @Test(
        "What is refused leaves the file as it is: an old revision, outlines that cross, a zone that a policy asks for (H7)"
    )
    func refused() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try start(folder)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let path = folder + "/vigil.yaml"
        let known = try revision(try ask(daemon))
        let crossing = #"{"name": "door", "corners": [[0, 0], [1, 1], [1, 0], [0, 1]]}"#
        for (zones, revision, status) in [
            ("[\(gate)]", "000000000000", " 409"), ("[\(gate), \(crossing)]", known, " 400"), ("[]", known, " 400"),
            ("[\(gate), \(gate)]", known, " 400"),
            (#"[{"name": "gate: x", "corners": [[0, 0], [1, 0], [1, 1]]}]"#, known, " 409"),
            (#"[{"name": "door", "corners": [[0, 0], [2, 0], [1, 1]]}]"#, known, " 400"),
        ] {
            let answer = try put(daemon, zones: zones, revision: revision)
            #expect(answer.hasSuffix(status), "\(zones): \(answer)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.configuration)
        }
        // Changed by hand meanwhile into something that is refused: nothing is written over it.
        let byHand = Self.configuration + "unknown: 1\n"
        try byHand.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try put(daemon, zones: "[\(gate), \(door)]", revision: known).hasSuffix(" 409"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == byHand)
        #expect(daemon.end() == 0)
    }
}
