import Foundation
import Testing

@Suite("Tokens and TLS of the running daemon")
struct TokenTests {
    /// Asks with curl; the answer's status, then its body.
    private func curl(_ arguments: [String]) throws -> (status: String, body: String) {
        let answer = try RunningDaemon.run(
            "/usr/bin/curl", ["-sk", "-m", "20", "-w", "\n%{http_code}"] + arguments)
        let lines = answer.output.split(separator: "\n", omittingEmptySubsequences: false)
        return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
    }

    private func start(_ folder: String, http: String) async throws -> RunningDaemon {
        let policies = folder + "/policies"
        try FileManager.default.createDirectory(atPath: policies, withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n".write(
            toFile: policies + "/all.yaml", atomically: true, encoding: .utf8)
        let config = folder + "/vigil.yaml"
        let cameras = ["front", "back"].map { "\($0): { main: demo, policy: all, detection: 'off' }" }
        try """
        http: \(http)
        timezone: UTC
        policies: [ policies/ ]
        cameras: { \(cameras.joined(separator: ", ")) }

        """.write(toFile: config, atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: config)
        try await daemon.wait(camera: "front", coverage: "recorded")
        return daemon
    }

    @Test("A token lets its holder do what its role says, on its cameras, by name, over a restart, until it is revoked")
    func tokens() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let port = try ListenerTests.Port().number
        var daemon = try await start(folder, http: "{ listen: 127.0.0.1:\(port) }")
        defer { daemon.end(SIGKILL) }
        let base = "http://127.0.0.1:\(port)"
        #expect(try curl([base + "/v1/states"]).status == "401")
        #expect(try curl([base + "/"]).body.contains("<title>"))
        let made = try daemon.vigil(["token", "create", "phone", "--role", "operator", "--camera", "front"])
        let token = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(made.status == 0 && token.hasPrefix("vigil_") && !made.errors.contains(token))
        let field = ["-H", "Authorization: Bearer \(token)"]
        let states = try curl(field + [base + "/v1/states"])
        #expect(states.status == "200" && states.body.contains("\"front\"") && !states.body.contains("\"back\""))
        #expect(try curl(field + [base + "/v1/cameras/back/state"]).status == "403")
        #expect(try curl(field + [base + "/v1/policies"]).status == "403")
        let record = ["-X", "POST", "-d", "{\"forMs\": 1000}", base + "/v1/cameras/front/record"]
        #expect(try curl(field + record).status == "200")
        // What is kept: for nobody else, and without the secret.
        let file = folder + "/data/tokens.json"
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        #expect(try !String(contentsOfFile: file, encoding: .utf8).contains(token.suffix(52)))
        #expect(daemon.end() == 0)
        daemon = try await start(folder, http: "{ listen: 127.0.0.1:\(port) }")
        #expect(try curl(field + [base + "/v1/states"]).status == "200")
        let listed = try daemon.json(["token", "list"])
        let phone = try #require(listed.first { $0["name"] as? String == "phone" })
        #expect(phone["lastAddress"] as? String == "127.0.0.1")
        #expect(try daemon.vigil(["token", "revoke", "phone"]).status == 0)
        #expect(try curl(field + [base + "/v1/states"]).status == "401")
    }

    @Test("A link logs the page in once, and its login ends with its token, with what goes on by it")
    func link() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let port = try ListenerTests.Port().number
        let daemon = try await start(folder, http: "{ listen: 127.0.0.1:\(port) }")
        defer { daemon.end(SIGKILL) }
        let base = "http://127.0.0.1:\(port)"
        let url = try daemon.vigil(["token", "link"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(url.hasPrefix(base + "/#login="))
        let code = url.dropFirst((base + "/#login=").count)
        let jar = folder + "/jar"
        let login = [
            "-X", "POST", "-H", "Vigil-Page: 1", "-d", "{\"code\": \"\(code)\"}", base + "/v1/login",
        ]
        let first = try curl(login + ["-c", jar])
        #expect(first.status == "200" && first.body.contains("\"owner\""))
        #expect(try curl(login).status == "401")
        #expect(try curl(["-b", jar, base + "/v1/tokens"]).status == "200")
        #expect(try daemon.vigil(["token", "revoke", "owner"]).status == 0)
        #expect(try curl(["-b", jar, base + "/v1/tokens"]).status == "401")
    }

    @Test(
        "Without a certificate other machines are served with one that Vigil makes once, and whose fingerprint is told")
    func ownCertificate() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let port = try ListenerTests.Port().number
        let (certificate, key) = (folder + "/data/http-certificate.pem", folder + "/data/http-key.pem")
        /// The fingerprint of the certificate that the listener shows, by another reader.
        func shown() throws -> String {
            let script =
                "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -sha256 "
            let told = try RunningDaemon.run("/bin/sh", ["-c", script + "-fingerprint -ext subjectAltName"])
            #expect(told.output.contains("DNS:localhost") && told.output.contains("IP Address:127.0.0.1"), "\(told)")
            return told.output.split(separator: "\n").first?.split(separator: "=").last.map(String.init) ?? ""
        }
        var daemon = try await start(folder, http: "{ listen: 0.0.0.0:\(port) }")
        defer { daemon.end(SIGKILL) }
        #expect(try RunningDaemon.run(RunningDaemon.program, ["check", folder + "/vigil.yaml"]).status == 0)
        let first = try shown()
        #expect(first.count == 32 * 3 - 1)
        let link = try daemon.vigil(["token", "link"])
        #expect(link.output.hasPrefix("https://") && link.errors.contains("certificate SHA-256 \(first)"), "\(link)")
        // So does the terminal in which the daemon was started, beside its link.
        try await daemon.wait("the terminal") {
            let terminal = try String(contentsOfFile: daemon.folder + "/log", encoding: .utf8)
            return terminal.contains("Look at it") && terminal.contains("certificate SHA-256 \(first)")
        }
        let made = try daemon.vigil(["token", "create", "phone", "--role", "viewer"])
        #expect(made.errors.contains("certificate SHA-256 \(first)"), "\(made.errors)")
        #expect(daemon.log.contains(first))
        #expect(try curl(["https://127.0.0.1:\(port)/healthz"]).body == "ok\n")
        #expect(try curl(["http://127.0.0.1:\(port)/healthz"]).status == "000")
        for file in [certificate, key] {
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        }
        // It stays the same over a restart, until it is about to end.
        #expect(daemon.end() == 0)
        daemon = try await start(folder, http: "{ listen: 0.0.0.0:\(port) }")
        #expect(try shown() == first)
        let ending = try RunningDaemon.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "20",
                "-subj",
                "/CN=old", "-keyout", key, "-out", certificate,
            ])
        #expect(ending.status == 0)
        // Within ten seconds, without a restart.
        try await daemon.wait("another certificate") {
            let now = try String(contentsOfFile: certificate, encoding: .utf8)
            let told = try RunningDaemon.run("/usr/bin/openssl", ["x509", "-in", certificate, "-noout", "-subject"])
            return !now.isEmpty && !told.output.contains("CN = old")
        }
        try await daemon.wait("its use") {
            let now = try shown()
            return now.count == first.count && now != first
        }
    }

    @Test(
        "With a certificate HTTP is served to other machines over TLS, and a new certificate is taken without a restart"
    )
    func tls() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (port, certificate, key) = (try ListenerTests.Port().number, folder + "/c.pem", folder + "/k.pem")
        func make(_ name: String) throws {
            let made = try RunningDaemon.run(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate,
                ])
            #expect(made.status == 0, "\(made.errors)")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        }
        func name() throws -> String {
            try RunningDaemon.run(
                "/usr/bin/curl", ["-skv", "-m", "20", "https://127.0.0.1:\(port)/healthz"]
            ).errors
        }
        try make("before")
        let daemon = try await start(
            folder, http: "{ listen: 0.0.0.0:\(port), tls: { certificate: c.pem, key: k.pem } }")
        defer { daemon.end(SIGKILL) }
        #expect(try curl(["https://127.0.0.1:\(port)/healthz"]).body == "ok\n")
        #expect(try curl(["https://127.0.0.1:\(port)/v1/states"]).status == "401")
        #expect(try curl(["http://127.0.0.1:\(port)/healthz"]).status == "000")
        #expect(try name().contains("CN=before"))
        try make("after")
        let deadline = Date().addingTimeInterval(60)
        while try !name().contains("CN=after"), Date() < deadline { try await Task.sleep(for: .milliseconds(200)) }
        #expect(try name().contains("CN=after"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        #expect(daemon.end() == 0)
        let again = try RunningDaemon.run(
            RunningDaemon.program,
            ["run", "--config", folder + "/vigil.yaml", "--root", folder + "/data", "--socket", folder + "/s"])
        #expect(again.status == 1 && again.errors.contains("chmod 600"), "\(again.errors)")
    }
}
