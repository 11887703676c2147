internal import Foundation
internal import MemorySite
internal import Testing

@testable import vigil

@Suite("What `vigil check` says that a site needs (H1)")
struct CheckTests {
    private struct Answer: Decodable {
        struct Amount: Decodable {
            let memoryBytes: Int
            let threads: Int
            let files: Int
        }

        struct Part: Decodable {
            let name: String
            let need: Amount
        }

        struct Need: Decodable {
            let cameras: [Part]
            let parts: [Part]
            let total: Amount
        }

        let need: Need
    }

    /// Cells stand two blanks apart at least.
    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: /\ {2,}/).map(String.init)
    }

    @Test("a line for each camera and part, their sums, and the limits of the unit that hold the sums")
    func need() async throws {
        let folder = try URL(fileURLWithPath: RunningSocket.freshPath()).deletingLastPathComponent()
        let policies = folder.appendingPathComponent("policies")
        try FileManager.default.createDirectory(at: policies, withIntermediateDirectories: false)
        try Data("name: p\nrecording: { mode: continuous }\n".utf8)
            .write(to: policies.appendingPathComponent("p.yaml"))
        let file = folder.appendingPathComponent("vigil.yaml")
        try Data(
            """
            cameras:
              front: { main: rtsp://10.0.0.1/a, sub: rtsp://10.0.0.1/b, policy: p }
              back: { main: rtsp://10.0.0.2/a, policy: p, detection: 'off' }
            mqtt: { url: "mqtt://127.0.0.1:1883" }

            """.utf8
        ).write(to: file)

        let json = try await Program.run(["check", file.path, "--json"])
        try #require(json.status == 0, "\(json)")
        let need = try JSONDecoder().decode(Answer.self, from: Data(json.output.utf8)).need
        #expect(need.cameras.map(\.name) == ["front", "back"])
        let names = need.parts.map(\.name)
        #expect(names.contains("transports that push") && names.contains("MQTT") && !names.contains("uploads"))

        let all = need.cameras + need.parts
        let memoryBytes = all.reduce(0) { $0 + $1.need.memoryBytes }
        let threads = all.reduce(0) { $0 + $1.need.threads }
        let files = all.reduce(0) { $0 + $1.need.files }
        #expect(need.total.memoryBytes == memoryBytes && need.total.threads == threads && need.total.files == files)

        let page = try await Program.run(["check", file.path])
        try #require(page.status == 0, "\(page)")
        let lines = page.output.split(separator: "\n")
        let head = try #require(lines.firstIndex(where: { $0.hasPrefix("AT MOST") }), "\(page.output)")
        #expect(Self.cells(lines[head]) == ["AT MOST", "MEMORY", "THREADS", "FILES"])
        func row(_ name: String, _ memoryBytes: Int, _ threads: Int, _ files: Int) -> [String] {
            [name, Words.size(Int64(memoryBytes)), "\(threads)", "\(files)"]
        }
        let rows: [[String]] =
            need.cameras.map { row($0.name, $0.need.memoryBytes, $0.need.threads, $0.need.files) }
            + need.parts.map { row("vigil: \($0.name)", $0.need.memoryBytes, $0.need.threads, $0.need.files) }
            + [row("in all", memoryBytes, threads, files)]
        #expect(lines[(head + 1)...].dropLast().map(Self.cells) == rows, "\(page.output)")
        // The mebibytes hold the sum, and no whole one is too many.
        let mebibytes = (memoryBytes + (1 << 20) - 1) >> 20
        #expect(
            String(lines.last ?? "") == """
                limits that fit, for "systemctl edit vigil": MemoryMax=\(mebibytes)M TasksMax=\(threads) LimitNOFILE=\(files)
                """)
    }
}
