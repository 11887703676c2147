internal import Foundation
internal import MemorySite
internal import Testing

@testable import vigil

@Suite(
    "vigil probe", .serialized,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
struct ProbeTests {
    /// A scripted camera of Tests/rig/quirks while `body` runs; `login` is what its credential holds.
    private func camera(_ name: String, _ body: (_ address: String) async throws -> Void) async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [folder.appendingPathComponent("rig/quirks").path, name]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        let line = await Task.detached { () -> Data in
            var data = Data()
            while !data.contains(UInt8(ascii: "\n")) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                data += more
            }
            return data.prefix { $0 != UInt8(ascii: "\n") }
        }.value
        let row = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
        try await body(try #require(row["address"] as? String))
    }

    private func report(_ run: Run.Result) throws -> [String: Any] {
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        return try #require(answer["report"] as? [String: Any])
    }

    @Test("says what a camera offers and what is recorded of it, in words and in JSON")
    func offered() async throws {
        let page = try await Program.run(["probe", "demo", "--seconds", "3"])
        #expect(page.status == 0, "\(page.errors)")
        for words in [
            "camera      demo", "video ", "avc1.", "frames/s", "a key frame each", "recorded    video as avc1",
        ] {
            #expect(page.output.contains(words), "\(words): \(page.output)")
        }
        let json = try report(try await Program.run(["probe", "demo", "--seconds", "3", "--json"]))
        let tracks = try #require(json["tracks"] as? [[String: Any]])
        let video = try #require(tracks.first { $0["kind"] as? String == "video" })
        let rate = try #require(video["frameRate"] as? Double)
        #expect((5...60).contains(rate))
        #expect((video["frames"] as? Int ?? 0) > 20 && video["groupMs"] != nil && json["failure"] == nil)
    }

    @Test("names the quirks that a camera shows, how it is logged in to, and no secret")
    func quirks() async throws {
        try await camera("closes after its 401") { address in
            let run = try await Program.run(
                ["probe", address, "--credential", "cam"], environment: ["VIGIL_CREDENTIAL_CAM": "admin:s3cret"])
            #expect(run.status == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("Digest MD5"))
            #expect(run.output.contains("closes the connection behind its 401 (row 1 of docs/reference/cameras.md)"))
            #expect(run.output.contains("recorded    video as avc1"))
            #expect(!(run.output + run.errors).contains("s3cret"))
        }
    }

    @Test("a password is sent in clear only where that is allowed (H9)")
    func clear() async throws {
        let environment = ["VIGIL_CREDENTIAL_CAM": "admin:s3cret"]
        try await camera("basic only") { address in
            let refused = try await Program.run(["probe", address, "--credential", "cam"], environment: environment)
            #expect(refused.status == 1)
            #expect(refused.output.contains("failed      unauthorized") && refused.errors.contains("allowBasic: true"))
            let allowed = try await Program.run(
                ["probe", address, "--credential", "cam", "--allow-basic"], environment: environment)
            #expect(allowed.status == 0 && allowed.output.contains("login       Basic"), "\(allowed.output)")
        }
    }

    @Test("what cannot be recorded, reached or dialled is said, with status 1")
    func refused() async throws {
        try await camera("two sessions at most") { address in
            let run = try await Program.run(["probe", address])
            #expect(run.status == 1 && run.output.contains("row 43") && run.output.contains("recorded    nothing"))
        }
        let nobody = try await Program.run(["probe", "rtsp://127.0.0.1:9/x"])
        #expect(nobody.status == 1 && nobody.output.contains("failed      refused"))
        let login = try await Program.run(["probe", "rtsp://admin:hunter2@127.0.0.1/x"])
        #expect(login.status == 1 && login.errors.contains("--credential"))
        #expect(!(login.output + login.errors).contains("hunter2"))
        #expect(try await Program.run(["probe", "demo", "--seconds", "0"]).status == 2)
    }

    @Test("a camera of the configuration is dialled as the daemon would")
    func named() async throws {
        let folder = NSTemporaryDirectory() + "vigil-probe-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "name: all\nrecording: { mode: continuous }\n"
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try await camera("basic only") { address in
            try """
            storage: { root: \(folder)/data }
            policies: [ policies/ ]
            cameras:
              front: { main: "\(address)", policy: all, credential: cam, allowBasic: true }
              back: { main: "\(address)", policy: all, credential: cam }

            """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
            let environment = ["VIGIL_CREDENTIAL_CAM": "admin:s3cret"]
            func probe(_ name: String) async throws -> Run.Result {
                try await Program.run(["probe", name, "--config", folder + "/vigil.yaml"], environment: environment)
            }
            #expect(try await probe("front").status == 0)
            #expect(try await probe("back").errors.contains("allowBasic: true"))
            #expect(try await probe("side").errors.contains("there is no camera \"side\""))
        }
    }
}
