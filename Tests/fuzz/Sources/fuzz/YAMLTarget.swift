import Machines

@testable import Policies

/// `vigil.yaml` with two good policies beside it, one with the same faults.
enum YAMLTarget {
    /// A small disk in memory.
    private struct Files: FileReading {
        let contents: [String: [UInt8]]

        func kind(of path: String) -> FoundFile {
            if contents[path] != nil { return .file }
            return contents.keys.contains { $0.hasPrefix(path + "/") } ? .folder : .nothing
        }

        func read(_ path: String, limit: Int) throws(FileProblem) -> [UInt8] {
            guard let bytes = contents[path] else {
                throw FileProblem(operation: "read", path: path, cause: "No such file or directory", remedy: "check it")
            }
            return Array(bytes.prefix(limit + 1))
        }

        func list(_ folder: String) throws(FileProblem) -> [String] {
            contents.keys.filter { FilePath.folder(of: $0) == folder }.map(FilePath.name)
        }
    }

    private static let shop = Array(
        """
        name: shop
        recording: { mode: continuous, sensitivity: 5, maxEventLength: 60s, preRoll: 5s }
        schedule:
          - { days: mon-fri, from: "20:00", to: "07:00", mode: event, sensitivity: high }
        retention: { maxAge: 14d, maxBytes: 500GB }

        """.utf8)

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let files = Files(
            contents: [
                "/etc/vigil.yaml": [UInt8](bytes), "/etc/policies/shop.yaml": shop,
                "/etc/policies/other.yaml": [UInt8](bytes),
            ])
        let loader = ConfigurationLoader(files: files, examiner: Examiner(nowUnixMs: 1_764_000_000_000))
        let outcome = loader.load("/etc/vigil.yaml")
        hold(Self.same(outcome, loader.load("/etc/vigil.yaml")), "the same files give the same outcome")
        switch outcome.result {
        case .success(let loaded):
            for camera in loaded.configuration.cameras {
                hold(loaded.policy(ofCamera: camera.name) != nil, "each camera has its policy")
                _ = camera.zoneMap(columns: 64, rows: 36)
            }
            told(loaded.warnings)
        case .failure(let refusal):
            hold(!refusal.diagnostics.isEmpty, "a refusal has a reason")
            told(refusal.diagnostics)
        }
    }

    private static func same(_ left: LoadOutcome, _ right: LoadOutcome) -> Bool {
        switch (left.result, right.result) {
        case (.success(let left), .success(let right)): left == right
        case (.failure(let left), .failure(let right)): left.diagnostics == right.diagnostics
        default: false
        }
    }

    static func told(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics.prefix(100) {
            hold(diagnostic.line >= 1 && diagnostic.column >= 1, "a finding has a place: \(diagnostic)")
            hold(!diagnostic.reason.isEmpty && !diagnostic.remedy.isEmpty, "a finding has a reason and a remedy")
        }
    }
}
