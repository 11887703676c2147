internal import Foundation
internal import MemorySite
internal import Testing

@testable import vigil

@Suite("Connections that do not end, in words (H2)")
struct OverdueTests {
    @Test("`vigil status` says how many there are, and `vigil state` for how long one of a camera has been overdue")
    func words() async throws {
        let site = MemorySite()
        try await RunningSocket.with(site, path: RunningSocket.freshPath()) { path in
            @Sendable func vigil(_ arguments: String...) async throws -> [String] {
                let result = try await Program.run(arguments + ["--socket", path])
                #expect(result.status == 0, "\(result)")
                return result.output.split(separator: "\n").map(String.init)
            }
            @Sendable func number(_ key: String, _ lines: [String]) -> String? {
                lines.first { $0.contains("\"\(key)\"") }?.split(separator: ":").last?
                    .trimmingCharacters(in: CharacterSet(charactersIn: " ,"))
            }
            #expect(try await vigil("status").allSatisfy { !$0.contains(" not end") })
            #expect(try await vigil("state", "front").allSatisfy { !$0.hasPrefix("hang-up") })

            site.hangUp("front", overdueMs: 65_000)
            let rest = "; `vigil state` says which, the journal since when"
            #expect(try await vigil("status").contains("1 connection to a camera does not end" + rest))
            let status = try await vigil("status", "--json")
            #expect(number("hangUpsOverdue", status) == "1")
            let page = try await vigil("state", "front")
            let line = try #require(page.first { $0.hasPrefix("hang-up") })
            #expect(line.hasSuffix("  overdue for 1m05s; the camera is dialled when it has ended"), "\(line)")
            let state = try await vigil("state", "front", "--json")
            #expect(number("hangUpOverdueMs", state) == "65000")
            #expect(try await vigil("state", "back").allSatisfy { !$0.hasPrefix("hang-up") })

            site.hangUp("back", overdueMs: 5_000)
            #expect(try await vigil("status").contains("2 connections to cameras do not end" + rest))
            site.hangUp("front", overdueMs: nil)
            site.hangUp("back", overdueMs: nil)
            let over = try await vigil("status", "--json")
            #expect(number("hangUpsOverdue", over) == "0")
        }
    }
}
