import Foundation
import Machines
import RandomSource
import Testing

@testable import Policies

@Suite struct MutationTests {
    private static let alphabet =
        Array("\0\t\n\r #\"'&*!|>%@`-?:,[]{}~<=\\0129aemn\u{7F}".utf8) + [0x80, 0xC2, 0xE2, 0xFF, 0xEF]

    private static func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            let byte = alphabet.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where at < bytes.count: bytes[at] = byte
            case 1 where at < bytes.count: bytes.remove(at: at)
            case 2: bytes.insert(byte, at: at)
            case 3: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...60, using: &random)))
            default:
                let from = Int.random(in: 0...bytes.count, using: &random)
                bytes.insert(contentsOf: bytes[min(from, at)..<min(bytes.count, min(from, at) + 40)], at: at)
            }
        }
        return bytes
    }

    @Test(arguments: Fixture.shippedPolicies) func `Mutated policies are accepted or refused with findings, never trap`(
        name: String
    ) throws {
        let original = Array(try Fixture.text("policies/\(name).yaml").utf8)
        var random = SeededGenerator(seed: UInt64(name.utf8.reduce(0) { $0 * 31 + Int($1) }))
        let zone = try #require(TimeZone(identifier: "Europe/Rome"))
        var accepted = 0
        var refused = 0
        for _ in 0..<400 {
            let bytes = Self.mutated(original, &random)
            let outcome = PolicyReader.read(bytes, file: "m")
            if let document = outcome.document {
                accepted += 1
                #expect(!document.explain().isEmpty)
                let effective = document.effective(
                    atUnixMs: Int64.random(in: 0...2_000_000_000_000, using: &random), in: zone)
                #expect(effective.policy.timeControl.initialMs <= effective.policy.timeControl.maxMs)
                let text = String(decoding: bytes, as: UTF8.self)
                if let edited = try? PolicyEditor.set(text, keyPath: "recording.preRoll", value: "7s") {
                    #expect(try Fixture.policy(edited).recording.preRollMs == 7_000)
                }
                _ = try? PolicyEditor.unset(text, keyPath: "retention.events")
            } else {
                refused += 1
                #expect(outcome.diagnostics.contains { $0.severity == .error })
                #expect(outcome.diagnostics.allSatisfy { $0.line >= 1 && $0.column >= 1 && !$0.remedy.isEmpty })
            }
        }
        #expect(accepted > 20 && refused > 20)
    }

    @Test func `Mutated configurations are accepted or refused with findings, never trap`() throws {
        var random = SeededGenerator(seed: 99)
        let original = Array(Fixture.configuration.utf8)
        var refused = 0
        for _ in 0..<500 {
            let text = String(decoding: Self.mutated(original, &random), as: UTF8.self)
            if case .failure(let refusal) = Fixture.load(text).result {
                refused += 1
                #expect(refusal.diagnostics.contains { $0.severity == .error })
            }
        }
        #expect((20..<480).contains(refused), "one outcome is hardly tried: \(refused)")
    }
}
