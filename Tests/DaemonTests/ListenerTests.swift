import Foundation
import Glibc
import Testing

@Suite("The daemon's listeners", .serialized)
struct ListenerTests {
    /// A TCP socket that listens on a loopback port of its own: one below those that the kernel gives to whoever connects, so that it
    /// stays free for somebody else to listen there when this one is gone.
    final class Port: Sendable {
        let number: UInt16
        private let handle: Int32

        struct Failed: Error { let errno: Int32 }

        init() throws {
            let handle = socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
            for _ in 0..<100 {
                let port = UInt16.random(in: 20_000..<30_000)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                address.sin_port = port.bigEndian
                let isBound = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(handle, 8) == 0
                    }
                }
                if isBound {
                    (self.handle, number) = (handle, port)
                    return
                }
            }
            let reason = errno
            close(handle)
            throw Failed(errno: reason)
        }

        deinit { close(handle) }

        /// How many have connected since it was asked last.
        func visits() -> Int {
            var count = 0
            while true {
                let visitor = accept(handle, nil, nil)
                guard visitor >= 0 else { return count }
                close(visitor)
                count += 1
            }
        }
    }

    private func write(_ configuration: String, in folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n"
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try configuration.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        return folder + "/vigil.yaml"
    }

    @Test("A port in use ends the start at once with what, why and what to do, and no camera was dialled")
    func taken() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (camera, taken) = (try Port(), try Port())
        let config = try write(
            """
            http: { listen: 127.0.0.1:\(taken.number) }
            policies: [ policies/ ]
            cameras: { front: { main: "rtsp://127.0.0.1:\(camera.number)/x", policy: all, detection: 'off' } }

            """, in: folder)
        let start = try await RunningDaemon.aside {
            try RunningDaemon.run(
                RunningDaemon.program,
                ["run", "--config", config, "--root", folder + "/data", "--socket", folder + "/s"])
        }
        #expect(start.status == 1)
        #expect(start.errors.contains("cannot listen at 127.0.0.1:\(taken.number): another process answers there"))
        #expect(start.errors.contains("stop it, or name another place"))
        #expect(camera.visits() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder + "/s"))
    }

    @Test(
        "The configured address is listened at, status names each listener, and the same questions get the same answers"
    )
    func listening() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let number = try Port().number
        let config = try write(
            """
            http: { listen: 127.0.0.1:\(number) }
            timezone: UTC
            policies: [ policies/ ]
            cameras: { front: { main: demo, policy: all, detection: 'off' } }

            """, in: folder)
        let daemon = try RunningDaemon(folder: folder, config: config)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let health = try RunningDaemon.run("/usr/bin/curl", ["-s", "http://127.0.0.1:\(number)/healthz"])
        #expect(health.output == "ok\n")
        let status = try JSONSerialization.jsonObject(
            with: Data(try daemon.vigil(["status", "--json"]).output.utf8))
        let listeners = (status as? [String: Any])?["listeners"] as? [[String: String]]
        #expect(
            listeners == [
                ["address": folder + "/s", "state": "listening"],
                ["address": "127.0.0.1:\(number)", "state": "listening"],
            ])
        // The camera has just been started: at most so long until the second before is recorded.
        let deadline = Date().addingTimeInterval(30)
        var (moment, why, answer) = ("", "", [String: Any]?.none)
        repeat {
            moment = Date().addingTimeInterval(-1).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            let asked = try daemon.vigil(["why", "front", moment, "--json"])
            why = asked.errors
            answer = try JSONSerialization.jsonObject(with: Data(asked.output.utf8)) as? [String: Any]
        } while answer?["label"] as? String != "recorded" && Date() < deadline
        #expect(answer?["source"] as? String == "catalog" && answer?["label"] as? String == "recorded", "\(why)")
        let unknown = try daemon.vigil(["why", "nobody", moment])
        #expect(unknown.status == 1 && unknown.errors.contains("no camera has this name"))
        let both = try daemon.vigil(["why", "front", moment, "--journal", "/nowhere"])
        #expect(both.status == 2 && both.errors.contains("--journal ask no daemon"))
        #expect(daemon.end() == 0)
    }
}
