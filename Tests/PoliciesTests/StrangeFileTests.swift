import Foundation
import Glibc
import Testing

@testable import Policies

@Suite("Strange files among policies")
struct StrangeFileTests {
    private func load(_ change: (_ policies: String) throws -> Void) throws -> Result<LoadedConfiguration, Refusal> {
        try Fixture.inNewFolder { folder in
            let policies = folder + "/policies"
            try FileManager.default.createDirectory(atPath: policies, withIntermediateDirectories: true)
            try Fixture.configuration.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
            try Fixture.shop.write(toFile: policies + "/shop.yaml", atomically: true, encoding: .utf8)
            try change(policies)
            return ConfigurationLoader().load(folder + "/vigil.yaml").result
        }
    }

    @Test("What a folder holds beside policies is told, and keeps nobody from starting (H5)")
    func listed() throws {
        let loaded = try load { policies in
            try #require(mkfifo(policies + "/pipe.yaml", 0o600) == 0)
            try #require(mkdir(policies + "/folder.yaml", 0o700) == 0)
            try #require(symlink("/nonexistent", policies + "/link.yaml") == 0)
            try #require(symlink("loop.yaml", policies + "/loop.yaml") == 0)
        }.get()
        #expect(loaded.policies.keys.sorted() == ["shop"])
        let told = loaded.warnings.filter { $0.reason.contains("cannot read") }
        #expect(told.count == 4 && told.allSatisfy { $0.severity == .warning })
    }

    @Test("A camera whose policy is such a file is refused (H5)")
    func followed() throws {
        let result = try load { policies in
            try FileManager.default.removeItem(atPath: policies + "/shop.yaml")
            try #require(mkfifo(policies + "/shop.yaml", 0o600) == 0)
        }
        guard case .failure(let refusal) = result else {
            Issue.record("a camera without a policy was accepted")
            return
        }
        #expect(refusal.diagnostics.contains { $0.severity == .error && $0.keyPath.hasPrefix("cameras.front") })
        #expect(refusal.diagnostics.contains { $0.severity == .warning && $0.reason.contains("shop.yaml") })
    }
}
