internal import Client
internal import Foundation
internal import Glibc
internal import Logging
internal import Machines
internal import MemorySite
internal import Testing

@testable import Server

@Suite("The control socket")
struct ControlSocketTests {
    private static let isRoot = geteuid() == 0
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func mode(_ path: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(facts[.posixPermissions] as? Int)
    }

    @Test("the client gets every answer over a real socket, and the server knows its process")
    func answers() async throws {
        let site = MemorySite(clips: 3)
        let path = try RunningSocket.freshPath()
        try await RunningSocket.with(site, path: path) { path in
            try await DaemonClient.with(socket: path) { client in
                #expect(try await client.status().storage.clips == 3)
                #expect(try await client.health().ok)
                #expect(try await client.cameras().count == 2)
                #expect(try await client.states().count == 2)
                #expect(try await client.state(camera: "front").clip == 7)
                let page = try await client.clips(ListFilter(limit: 2))
                #expect(page.items.map(\.id) == [1, 2])
                #expect(page.next == "2")
                #expect(try await client.clips(ListFilter(limit: 2, after: page.next)).items.map(\.id) == [3])
                let from = WallTime(ms: MemorySite.origin.ms + 50_000)
                #expect(try await client.events(ListFilter(from: from)).items.map(\.id) == [3])
                #expect(try await client.record(camera: "front", forMs: 5_000).event == 99)
                #expect(try await client.setEnabled(camera: "back", enabled: false).coverage == .disabled)
                #expect(
                    try await client.setPrivacy(camera: "back", change: PrivacyCommand(softLive: true)).privacy
                        == Privacy(softLive: true))
                #expect(try await client.reload().changed == ["policy shop"])
                #expect(try await client.policies().count == 1)
                let policy = try await client.policy(name: "shop")
                #expect(try await client.checkPolicy(text: policy.text).valid)
                let text = policy.text + "# x\n"
                #expect(
                    try await client.applyPolicy(name: "shop", text: text, expectedRevision: policy.revision).text
                        == text)
            }
        }
        #expect(site.callers.allSatisfy { $0 == Caller(uid: geteuid(), gid: getegid(), pid: getpid()) })
        #expect(site.callers.count == 5)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a refusal reaches the client word for word")
    func refusal() async throws {
        try await RunningSocket.with(MemorySite(), path: RunningSocket.freshPath()) { path in
            try await DaemonClient.with(socket: path) { client in
                let expected = SiteError(
                    .notFound, what: "camera a/b ü", why: "there is no such camera",
                    remedy: "`vigil cameras` lists them")
                await #expect(throws: ClientError.refused(expected)) { try await client.state(camera: "a/b ü") }
            }
        }
    }

    @Test("an export arrives whole, and a torn one is told from a whole one")
    func export() async throws {
        let site = MemorySite(clips: 20)
        let end = WallTime(ms: MemorySite.origin.ms + 20 * MemorySite.clipMs)
        try await RunningSocket.with(site, path: RunningSocket.freshPath()) { path in
            try await DaemonClient.with(socket: path) { client in
                #expect(try await client.exportPlan(camera: "front", from: MemorySite.origin, to: end).holes.isEmpty)
                var bytes: [UInt8] = []
                try await client.export(camera: "front", from: MemorySite.origin, to: end) { bytes += $0 }
                #expect(bytes == MemorySite.exportBytes(clips: 20))
                site.breakExports(after: 9)
                var torn = 0
                await #expect {
                    try await client.export(camera: "front", from: MemorySite.origin, to: end) { torn += $0.count }
                } throws: { error in
                    if case ClientError.brokenOff = error { true } else { false }
                }
                #expect(torn <= 9 * 50_000)
                #expect(try await client.states().count == 2)
            }
        }
    }

    @Test("a question whose connection is cut off before any answer is asked again")
    func askedAgain() async throws {
        let path = try RunningSocket.freshPath()
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 8) == 0)
        // Whether somebody is there is asked over a connection of its own; then two are cut off, and one is answered.
        let server = Thread {
            for number in 0..<4 {
                let client = accept(listener, nil, nil)
                var question = [UInt8](repeating: 0, count: 4_096)
                if number == 2 || number == 3 { _ = recv(client, &question, question.count, 0) }
                if number == 3 {
                    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]".utf8)
                    _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
                }
                close(client)
            }
        }
        server.start()
        let states = try await DaemonClient.with(socket: path) { try await $0.states() }
        #expect(states.isEmpty)
    }

    @Test("without its group the socket is its owner's alone")
    func ownerOnly() async throws {
        try await RunningSocket.with(
            MemorySite(), path: RunningSocket.freshPath(), group: "no-such-group-here"
        ) { path in
            let found = try mode(path)
            #expect(found == 0o600)
        }
    }

    @Test("the socket belongs to its group, mode 0660", .enabled(if: isRoot, "only root may give a file away"))
    func groupOwned() async throws {
        try await RunningSocket.with(MemorySite(), path: RunningSocket.freshPath(), group: "nogroup") { path in
            #expect(try mode(path) == 0o660)
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            #expect(facts[.groupOwnerAccountName] as? String == "nogroup")
        }
    }

    @Test(
        "the kernel's word decides: a stranger gets 403 even where the mode lets it in, a member is admitted",
        .enabled(if: isRoot && FileManager.default.fileExists(atPath: "/usr/bin/setpriv"), "needs root and setpriv"))
    func peers() async throws {
        try await RunningSocket.with(MemorySite(), path: RunningSocket.freshPath(), group: "games") { path in
            let games = try #require(SocketGroup.named("games")).id
            #expect(try await status(path, as: ["--reuid=65534", "--regid=65534", "--clear-groups"]) == "refused")
            #expect(try await status(path, as: ["--reuid=65534", "--regid=65534", "--groups=\(games)"]) == "200")
            #expect(try await status(path, as: ["--reuid=65534", "--regid=\(games)", "--clear-groups"]) == "200")
            chmod(path, 0o666)
            #expect(try await status(path, as: ["--reuid=65534", "--regid=65534", "--clear-groups"]) == "403")
            #expect(try await status(path, as: ["--reuid=65534", "--regid=65534", "--groups=\(games)"]) == "200")
        }
    }

    /// The status that another user's process gets, or `refused` where it cannot connect.
    private func status(_ path: String, as identity: [String]) async throws -> String {
        let script = """
            use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or do { print "refused"; exit };
            syswrite(S, "GET /v1/states HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n");
            sysread(S, $answer, 4096); print((split / /, $answer)[1]);
            """
        return try await Run.tool("/usr/bin/setpriv", identity + ["/usr/bin/perl", "-e", script, path]).output
    }

    @Test("a stale socket is replaced, a living one and anything else are refused")
    func claim() async throws {
        let path = try RunningSocket.freshPath()
        // A process that died leaves the file of its socket behind.
        _ = try await Run.tool(
            "/usr/bin/perl",
            ["-e", "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, sockaddr_un($ARGV[0]))", path])
        #expect(try SocketFile.knock(path) == .silent)
        try await RunningSocket.with(MemorySite(), path: path) { path in
            await #expect(throws: ListenError.inUse(place: path)) {
                try await ControlSocket(path: path, site: MemorySite(), logger: Self.logger).run()
            }
            try await DaemonClient.with(socket: path) { client in
                let health = try await client.health()
                #expect(health.ok)
            }
        }
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: ListenError.notASocket(path: path)) {
            try await ControlSocket(path: path, site: MemorySite(), logger: Self.logger).run()
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("x".utf8))
    }

    @Test("a path that cannot be is refused by name")
    func impossiblePaths() async throws {
        let long = "/tmp/" + String(repeating: "x", count: 103)
        await #expect(throws: ListenError.pathTooLong(path: long, limit: 107)) {
            try await ControlSocket(path: long, site: MemorySite(), logger: Self.logger).run()
        }
        let lost = try RunningSocket.freshPath() + "-folder/vigil.sock"
        await #expect(throws: ListenError.noFolder(path: lost)) {
            try await ControlSocket(path: lost, site: MemorySite(), logger: Self.logger).run()
        }
    }

    @Test("the client says what to do where nobody answers")
    func noDaemon() async throws {
        let path = try RunningSocket.freshPath()
        await #expect(throws: ClientError.noDaemon(address: path)) {
            try await DaemonClient.with(socket: path) { try await $0.health() }
        }
        #expect(ClientError.noDaemon(address: path).commandText.contains("systemctl start vigil"))
    }

    @Test("headers above the limit are refused and the connection is closed")
    func largeHeaders() async throws {
        try await RunningSocket.with(MemorySite(), path: RunningSocket.freshPath()) { path in
            let script = """
                use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or die; $SIG{PIPE} = 'IGNORE';
                syswrite(S, "GET /v1/states HTTP/1.1\\r\\nHost: x\\r\\nX: " . ("y" x 20000) . "\\r\\n\\r\\n");
                $all .= $part while sysread(S, $part, 4096); print((split / /, $all)[1]);
                """
            let answer = try await Run.tool("/usr/bin/perl", ["-e", script, path])
            #expect(answer.output == "400")
        }
    }
}
