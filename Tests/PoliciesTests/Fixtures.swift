import Foundation
import Testing

@testable import Policies

/// Files in memory: a small honest disk.
struct MemoryFiles: FileReading {
    var contents: [String: String]

    func kind(of path: String) -> FoundFile {
        if contents[path] != nil { return .file }
        return contents.keys.contains { $0.hasPrefix(path + "/") } ? .folder : .nothing
    }

    func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
        guard let text = contents[path] else {
            throw FileProblem(
                operation: "read", path: path, cause: "No such file or directory", remedy: "check the path")
        }
        return Array(text.utf8.prefix(limit + 1))
    }

    func list(_ folder: String) throws(FileProblem) -> [String] {
        contents.keys.filter { FilePath.folder(of: $0) == folder }.map(FilePath.name)
    }
}

enum Fixture {
    /// The repository's root.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)

    static let shippedPolicies = ["doorbell", "home", "privacy", "reference", "shop"]

    static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: root).appending(path: path), encoding: .utf8)
    }

    /// The configuration that the documentation promises to work.
    static let configuration = """
        # vigil.yaml
        storage: { root: /var/lib/vigil }
        http: { listen: 127.0.0.1:8080 }
        timezone: Europe/Rome
        policies: [ policies/ ]            # folders or files, relative to this one
        cameras:
          front:
            main: rtsp://127.0.0.1:8554/cam0            # or { lan: rtsp://…, internet: rtsp://… }
            sub: rtsp://127.0.0.1:8554/cam1
            connect: auto                               # auto | lan | internet | lanOnly | internetOnly
            credential: front                           # looked up, never written here
            policy: shop

        """

    /// The policy that the documentation promises to work.
    static let shop = """
        # policies/shop.yaml
        name: shop
        recording: { mode: continuous, sensitivity: 5, maxEventLength: 60s, preRoll: 5s, clipLength: 10m }
        schedule: [ { days: mon-fri, from: "08:00", to: "18:30", mode: event } ]
        retention: { continuous: 7d, events: 30d, maxSize: 500GB }

        """

    static func load(_ configuration: String, policies: [String: String] = ["shop.yaml": shop]) -> LoadOutcome {
        var contents = ["/etc/vigil/vigil.yaml": configuration]
        for (name, text) in policies { contents["/etc/vigil/policies/" + name] = text }
        return ConfigurationLoader(files: MemoryFiles(contents: contents)).load("/etc/vigil/vigil.yaml")
    }

    /// The findings of a configuration that is refused.
    static func findings(_ configuration: String, policies: [String: String] = ["shop.yaml": shop]) -> [Diagnostic] {
        switch load(configuration, policies: policies).result {
        case .success(let loaded): loaded.warnings
        case .failure(let refusal): refusal.diagnostics
        }
    }

    /// The findings of a policy text.
    static func policyFindings(_ text: String) -> [Diagnostic] {
        PolicyReader.read(Array(text.utf8), file: "p.yaml").diagnostics
    }

    /// A policy that must be good.
    static func policy(_ text: String) throws -> PolicyDocument {
        try ConfigurationLoader.policy(text: text, file: "p.yaml").policy
    }

    /// A new folder that is removed afterwards.
    static func inNewFolder<T>(_ body: (String) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "policies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.path(percentEncoded: false))
    }
}
