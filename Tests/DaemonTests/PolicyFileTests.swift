import Foundation
import Testing

/// Policies are written only where they were read (H7).
@Suite("The files of policies", .serialized)
struct PolicyFileTests {
    private static let policy = "name: all\nrecording: { mode: continuous, sensitivity: 5 } # ours\n"

    private func start(_ folder: String, prepare: Bool = true) throws -> RunningDaemon {
        if prepare {
            try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
            try Self.policy.write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
            try """
            http: { listen: none }
            policies: [ policies/ ]
            cameras: { front: { main: demo, policy: all, detection: 'off' } }

            """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        }
        return try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
    }

    /// Puts a text as the policy `name`; the status and the body of the answer.
    private func put(_ daemon: RunningDaemon, _ name: String, _ text: String, revision: String? = nil) throws -> String
    {
        var body = ["text": text]
        body["expectedRevision"] = revision
        let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        let answer = try daemon.ask("PUT", "/v1/policies/\(name)", json)
        return "\(answer.text) \(answer.status)"
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("A new policy takes no file that is there: not another policy's, not one that is refused, not vigil.yaml")
    func occupied() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The configuration lies among the policies, and so does a policy under a name that is not that of its file.
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        let configuration = """
            http: { listen: none }
            policies: [ all.yaml, policies/ ]
            cameras: { front: { main: demo, policy: all, detection: 'off' } }

            """
        try configuration.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        try Self.policy.write(toFile: folder + "/all.yaml", atomically: true, encoding: .utf8)
        try "name: renamed\nrecording: { mode: 'off' }\n".write(
            toFile: folder + "/policies/night.yaml", atomically: true, encoding: .utf8)
        let daemon = try start(folder, prepare: false)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")

        // night.yaml holds the policy "renamed".
        let night = try put(daemon, "night", "name: night\nrecording: { mode: 'off' }\n")
        #expect(night.hasSuffix(" 409") && night.contains("night.yaml"), "\(night)")
        #expect(try text(folder + "/policies/night.yaml").hasPrefix("name: renamed"))
        // A link that leads elsewhere, put there since the last reading.
        #expect(symlink("../vigil.yaml", folder + "/policies/evil.yaml") == 0)
        let evil = try put(daemon, "evil", "name: evil\nrecording: { mode: 'off' }\n")
        #expect(!evil.hasSuffix(" 200"), "\(evil)")
        #expect(try text(folder + "/vigil.yaml") == configuration)
        try FileManager.default.removeItem(atPath: folder + "/policies/evil.yaml")
        // Beside vigil.yaml lies a policy; a new one named like the configuration does not take its file.
        let named = try put(daemon, "vigil", "name: vigil\nrecording: { mode: 'off' }\n")
        #expect(
            named.hasSuffix(" 200") && FileManager.default.fileExists(atPath: folder + "/policies/vigil.yaml"),
            "\(named)")
        #expect(try text(folder + "/vigil.yaml") == configuration)
        // What does not exist is made.
        let fresh = try put(daemon, "fresh", "name: fresh\nrecording: { mode: 'off' }\n")
        #expect(fresh.hasSuffix(" 200"), "\(fresh)")
        #expect(try text(folder + "/policies/fresh.yaml") == "name: fresh\nrecording: { mode: 'off' }\n")
        #expect(daemon.end() == 0)
    }

    @Test("What was changed by hand and refused is not overwritten by command; the error names the file and what to do")
    func changedByHand() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try start(folder)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let byHand = "name: all\nrecording: { mode: continuuous } # half a thought\n"
        try byHand.write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        let refused = try daemon.vigil(["policy", "set", "all", "recording.sensitivity", "10"])
        #expect(refused.status == 1 && !refused.errors.isEmpty)
        let revision = try daemon.revision(of: "all")
        let put = try put(daemon, "all", Self.policy + "# again\n", revision: revision)
        #expect(put.hasSuffix(" 409") && put.contains("all.yaml") && put.contains("vigil check"), "\(put)")
        #expect(try text(folder + "/policies/all.yaml") == byHand)
        #expect(daemon.end() == 0)
    }

    @Test("The version before is kept, shown and brought back")
    func revert() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try start(folder)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let first = try daemon.revision(of: "all")
        #expect(try daemon.vigil(["policy", "revert", "all", first]).errors.contains("never changed by command"))
        #expect(try daemon.vigil(["policy", "set", "all", "recording.sensitivity", "10"]).status == 0)
        let second = try daemon.revision(of: "all")
        #expect(first != second)
        let reverted = try daemon.vigil(["policy", "revert", "all", String(first.prefix(6))])
        #expect(reverted.status == 0 && reverted.output.contains("sensitivity"), "\(reverted.errors)")
        #expect(try text(folder + "/policies/all.yaml") == Self.policy)
        // And forth again.
        #expect(try daemon.vigil(["policy", "revert", "all", second]).status == 0)
        #expect(try text(folder + "/policies/all.yaml").contains("sensitivity: 10"))
        let unknown = try daemon.vigil(["policy", "revert", "all", "zzz"])
        #expect(unknown.status == 1 && unknown.errors.contains(first), "\(unknown.errors)")
        #expect(daemon.end() == 0)
    }

    @Test("A policy's file that is gone comes back by command where nothing stands in its place (H7)")
    func gone() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try start(folder)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let first = try daemon.revision(of: "all")
        #expect(try daemon.vigil(["policy", "set", "all", "recording.sensitivity", "10"]).status == 0)
        let second = try daemon.revision(of: "all")
        let path = folder + "/policies/all.yaml"
        try FileManager.default.removeItem(atPath: path)
        // A change is none of what was there, so it is not made.
        let set = try daemon.vigil(["policy", "set", "all", "recording.sensitivity", "1"])
        #expect(set.status == 1 && set.errors.contains(path) && set.errors.contains("policy revert"), "\(set.errors)")
        let other = try put(daemon, "all", Self.policy + "# other\n", revision: second)
        #expect(other.hasSuffix(" 409") && other.contains(path), "\(other)")
        #expect(!FileManager.default.fileExists(atPath: path))
        // Nor is anything else that stands there touched.
        #expect(mkfifo(path, 0o600) == 0)
        for arguments in [["set", "all", "recording.sensitivity", "1"], ["revert", "all", first]] {
            let refused = try daemon.vigil(["policy"] + arguments)
            #expect(refused.status == 1 && refused.errors.contains(path), "\(refused.errors)")
            #expect(refused.errors.contains("move it away"), "\(refused.errors)")
        }
        let inWay = try put(daemon, "all", Self.policy, revision: second)
        #expect(inWay.hasSuffix(" 409") && inWay.contains(path), "\(inWay)")
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        #expect(try daemon.vigil(["policy", "revert", "all", first]).errors.contains("move it away"))
        #expect(rmdir(path) == 0)
        let reverted = try daemon.vigil(["policy", "revert", "all", first])
        #expect(reverted.status == 0, "\(reverted.errors)")
        #expect(try text(path) == Self.policy)
        #expect(try daemon.revision(of: "all") == first)
        #expect(daemon.end() == 0)
    }

    @Test("A kill in the midst of changes leaves a whole text, old or new, and every version whole")
    func kills() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var whole: Set<String> = [Self.policy]
        for number in 0..<6 {
            let daemon = try start(folder, prepare: number == 0)
            defer { daemon.end(SIGKILL) }
            try await daemon.wait("an answer") { try !daemon.json(["policy", "list"]).isEmpty }
            let revision = try daemon.revision(of: "all")
            let next = Self.policy + String(repeating: "# change \(number)\n", count: 4_000)
            whole.insert(next)
            let socket = daemon.socket
            let body = try JSONSerialization.data(withJSONObject: ["text": next, "expectedRevision": revision])
            try body.write(to: URL(fileURLWithPath: folder + "/body"))
            let asking = Task {
                try await RunningDaemon.aside {
                    try RunningDaemon.run(
                        "/usr/bin/curl",
                        [
                            "-s", "--unix-socket", socket, "-X", "PUT", "-d", "@\(folder)/body",
                            "http://vigil/v1/policies/all",
                        ])
                }
            }
            // The kill comes when the work on the files has begun, at another moment each time.
            let watched = folder + "/policies"
            let before = try FileManager.default.contentsOfDirectory(atPath: watched).count
            let deadline = Date().addingTimeInterval(20)
            var looks = 0
            while Date() < deadline {
                let now = try FileManager.default.contentsOfDirectory(atPath: watched)
                if now.count > before || (try? text(watched + "/all.yaml")) == next {
                    looks += 1
                    if looks > number { break }
                }
            }
            daemon.end(SIGKILL)
            _ = try? await asking.value
            #expect(whole.contains(try text(watched + "/all.yaml")))
            let versions = watched + "/.versions/all"
            for name in (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
            where name.hasSuffix(".yaml") {
                #expect(whole.contains(try text(versions + "/" + name)), "\(name)")
            }
        }
        // Afterwards everything works, and what the kills left is gone.
        let daemon = try start(folder, prepare: false)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait("an answer") { try !daemon.json(["policy", "list"]).isEmpty }
        #expect(try daemon.vigil(["policy", "set", "all", "recording.sensitivity", "1"]).status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/policies").sorted()
        #expect(left == [".versions", "all.yaml"], "\(left)")
        #expect(daemon.end() == 0)
    }
}
