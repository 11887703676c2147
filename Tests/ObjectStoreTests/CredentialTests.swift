import Foundation
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Credentials")
struct CredentialTests {
    private static let address = Result {
        try StoreAddress(endpoint: "http://127.0.0.1:9", region: "us-east-1", bucket: "clips", style: .path)
    }

    @Test("A shared file is read by profile, and what is wrong is told without its content")
    func shared() throws {
        let text =
            "# note\n[default]\r\naws_access_key_id = A1\r\naws_secret_access_key=s=1/+\n[ other ]\nAWS_ACCESS_KEY_ID=A2\naws_secret_access_key=s2\naws_session_token=t2\n"
        #expect(try CredentialText.shared(text, profile: "default").secretAccessKey == "s=1/+")
        #expect(try CredentialText.shared(text, profile: "other").sessionToken == "t2")
        #expect(
            try CredentialText.shared("aws_access_key_id=A\naws_secret_access_key=s", profile: "default").accessKeyID
                == "A")
        for (text, profile) in [
            (text, "none"), ("[default]\naws_access_key_id=SECRETLIKE", "default"), ("SECRETLIKE", "default"),
            ("aws_access_key_id=A\naws_secret_access_key=SECRET LIKE", "default"), ("", "default"),
        ] {
            let error = #expect(throws: CredentialDefect.self) { try CredentialText.shared(text, profile: profile) }
            #expect(error?.reason.contains("LIKE") == false)
        }
    }

    @Test("Printing credentials prints no secret")
    func printing() throws {
        let made = try #require(Credentials(accessKeyID: "AKID", secretAccessKey: "hidden", sessionToken: "veiled"))
        var dumped = ""
        dump(made, to: &dumped)
        for text in ["\(made)", String(reflecting: made), "\(CredentialSource.values(made))", dumped] {
            #expect(!text.contains("hidden") && !text.contains("veiled"))
        }
    }

    @Test("A file that others may read is told, and one that is no file is refused")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("c").path
        for (mode, isTold) in [(0o600, false), (0o400, false), (0o644, true), (0o640, true)] {
            try? FileManager.default.removeItem(atPath: path)
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, mode_t(mode))
            let file = try CredentialFile(path)
            #expect(file.text == "x")
            #expect((file.warning != nil) == isTold)
        }
        let pipe = folder.appendingPathComponent("p").path
        mkfifo(pipe, 0o600)
        for path in [pipe, folder.path, folder.path + "/none", "/dev/zero"] {
            #expect(throws: CredentialDefect.self) { try CredentialFile(path) }
        }
        try Data(repeating: 0x61, count: CredentialFile.bytesMax + 1).write(to: URL(fileURLWithPath: path))
        #expect(throws: CredentialDefect.self) { try CredentialFile(path) }
    }

    @Test(
        "Without TLS only this machine and its agents are asked",
        arguments: [
            ("http://127.0.0.1:1/x", true), ("http://localhost/x", true), ("http://169.254.170.2/x", true),
            ("http://[::1]:9/x", true),
            ("http://169.254.170.23/v1/credentials", true), ("https://example.com/x", true),
            ("http://example.com/x", false),
            ("http://127.0.0.1.example.com/", false), ("http://127.0.0.1@example.com/", false),
            ("http://localhost.example.com/", false),
            ("http://[::1].example.com/", false), ("http://169.254.169.254/", false), ("ftp://127.0.0.1/", false),
            ("http://127.1/", false),
        ])
    func places(_ url: String, _ isAsked: Bool) {
        let endpoint = try? ContainerEndpoint { $0 == "AWS_CONTAINER_CREDENTIALS_FULL_URI" ? url : nil }
        #expect((endpoint != nil) == isAsked)
    }

    @Test("A container's credentials are asked for once, with the token, and again before they end")
    func container() async throws {
        let server = ScriptedServer { request, number in
            guard request.headers["authorization"] == "Bearer t" else { return .send(status: 403) }
            let end = ServerTime(clamping: 1_369_353_600 + 3600 * Int64(number + 1)).iso
            return number < 2
                ? .send(
                    status: 200,
                    body:
                        "{\"AccessKeyId\":\"A\(number)\",\"SecretAccessKey\":\"s\",\"Token\":\"t\",\"Expiration\":\"\(end)\"}"
                )
                : .send(status: 500, body: "secret words")
        }
        let clock = ManualClock()
        let transport = SystemTransport(StoreConfiguration(address: try Self.address.get()))
        let variables = [
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(server.endpoint)/c",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Bearer t",
        ]
        let cache = CredentialCache(.container, clock: clock.clock, transport: transport) { variables[$0] }
        let first = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await cache.credentials().accessKeyID } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(first == ["A0"] && server.requests.count == 1)
        clock.advance(.seconds(3600 - 301))
        #expect(try await cache.credentials().accessKeyID == "A0")
        clock.advance(.seconds(2))
        #expect(try await cache.credentials().accessKeyID == "A1")
        // The endpoint fails from now on: what still holds is used to its end.
        clock.advance(.seconds(3600 - 10))
        #expect(try await cache.credentials().accessKeyID == "A1")
        clock.advance(.seconds(600))
        let error = await #expect(throws: CredentialDefect.self) { try await cache.credentials() }
        #expect(error?.reason.contains("secret") == false)
        await transport.shutdown()
        server.end()
    }

    @Test("Whoever may read the token that opens a container's credentials is told of", arguments: [0o600, 0o644])
    func exposed(_ mode: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("Bearer t".utf8).write(to: URL(fileURLWithPath: file))
        #expect(chmod(file, mode_t(mode)) == 0)
        let server = ScriptedServer { _, _ in
            .send(status: 200, body: "{\"AccessKeyId\":\"A\",\"SecretAccessKey\":\"s\",\"Token\":\"t\"}")
        }
        let variables = [
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(server.endpoint)/c",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": file,
        ]
        let transport = SystemTransport(StoreConfiguration(address: try Self.address.get()))
        let cache = CredentialCache(.container, clock: ManualClock().clock, transport: transport) { variables[$0] }
        _ = try await cache.credentials()
        #expect((await cache.warning?.contains("chmod 600 \(file)") ?? false) == (mode == 0o644))
        await transport.shutdown()
        server.end()
    }

    @Test("Credentials come from the environment and from systemd by name")
    func references() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("aws_access_key_id=S\naws_secret_access_key=s\n".utf8).write(
            to: URL(fileURLWithPath: folder + "/store"))
        chmod(folder + "/store", 0o400)
        let variables = ["AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "s", "CREDENTIALS_DIRECTORY": folder]
        let clock = ManualClock()
        let transport = SystemTransport(StoreConfiguration(address: try Self.address.get()))
        func id(_ source: CredentialSource) async -> String? {
            try? await CredentialCache(source, clock: clock.clock, transport: transport) { variables[$0] }
                .credentials().accessKeyID
        }
        #expect(await id(.environment) == "E")
        #expect(await id(.systemd(name: "store")) == "S")
        #expect(await id(.systemd(name: "../store")) == nil)
        #expect(await id(.systemd(name: "none")) == nil)
        #expect(await id(.file(path: folder + "/store", profile: "other")) == nil)
        await transport.shutdown()
    }
}
