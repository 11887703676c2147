import Foundation
import Testing

@testable import Policies

/// The key table, the schemas, the reference pages and the annotated policy say the same.
@Suite struct ReferenceTests {
    @Test func `The reference policy has exactly the keys that a policy may have`() throws {
        let item = try YAMLReader.read(Array(try Fixture.text("policies/reference.yaml").utf8), file: "reference.yaml")
        #expect(Self.keyPaths(of: item).sorted() == Key.flattened(Key.policy).map(\.path).sorted())
    }

    @Test func `Every key of the reference policy stands below or beside a comment`() throws {
        var commented = false
        for line in try Fixture.text("policies/reference.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        {
            let bare = line.drop { $0 == " " || $0 == "-" }
            if bare.isEmpty { commented = false }
            if bare.hasPrefix("#") { commented = true }
            guard bare.contains(":"), !bare.hasPrefix("#") else { continue }
            #expect(commented, "no comment above \(line)")
        }
    }

    @Test func `The reference policy writes the defaults`() throws {
        let reference = try Fixture.policy(try Fixture.text("policies/reference.yaml"))
        #expect(reference.recording == (try Fixture.policy("name: x")).recording)
        let item = try YAMLReader.read(Array(try Fixture.text("policies/reference.yaml").utf8), file: "reference.yaml")
        for located in Key.flattened(Key.policy) {
            guard let standard = located.key.standard else { continue }
            let path = try KeyPath(located.path.replacing("[]", with: "[0]"), keys: Key.policy)
            #expect(item.at(path.steps[...])?.text == standard, "\(located.path)")
        }
    }

    @Test(arguments: [(FileKind.policy, "policy"), (.configuration, "vigil")])
    func `The committed schema is the one of the key table`(kind: FileKind, name: String) throws {
        try Self.golden("docs/reference/\(name).schema.json", kind.schema)
        let schema = try #require(try JSONSerialization.jsonObject(with: Data(kind.schema.utf8)) as? [String: Any])
        #expect(Self.schemaPaths(schema).sorted() == Key.flattened(kind.keys).map(\.path).sorted())
    }

    @Test(arguments: [(FileKind.policy, "policies"), (.configuration, "configuration")])
    func `The committed page holds the table of keys`(kind: FileKind, name: String) throws {
        let path = "docs/reference/\(name).md"
        let page = try Fixture.text(path)
        let parts = page.components(separatedBy: "<!-- keys -->\n")
        #expect(parts.count == 3)
        if parts.count == 3 {
            try Self.golden(path, parts[0] + "<!-- keys -->\n" + kind.referenceTable + "<!-- keys -->\n" + parts[2])
        }
    }

    @Test func `The page of policies holds the table of rules`() throws {
        let path = "docs/reference/policies.md"
        let parts = try Fixture.text(path).components(separatedBy: "<!-- rules -->\n")
        #expect(parts.count == 3)
        let rows = Rule.allCases.map { "| `\($0.rawValue)` | \($0.severity) | \($0.meaning) |\n" }.joined()
        let table = "| rule | severity | what it finds |\n|---|---|---|\n" + rows
        if parts.count == 3 {
            try Self.golden(path, parts[0] + "<!-- rules -->\n" + table + "<!-- rules -->\n" + parts[2])
        }
    }

    @Test(arguments: FileKind.allCases) func `Every key has a purpose, and a default or what holds without it`(
        kind: FileKind
    ) {
        for located in Key.flattened(kind.keys) {
            #expect(located.key.purpose.hasSuffix(".") && !located.key.purpose.contains("|"), "\(located.path)")
            let known = [located.key.required, located.key.standard != nil, !located.key.absence.isEmpty].count { $0 }
            #expect(known == 1, "\(located.path)")
        }
    }

    @Test func `Examples in the pages load`() throws {
        let configuration = try Self.examples("docs/reference/configuration.md")
        let policies = try Self.examples("docs/reference/policies.md")
        #expect(!configuration.isEmpty && !policies.isEmpty)
        let shipped = try Dictionary(
            uniqueKeysWithValues: Fixture.shippedPolicies.map {
                ("\($0).yaml", try Fixture.text("policies/\($0).yaml"))
            })
        for example in configuration {
            #expect(Fixture.findings(example, policies: shipped).filter { $0.severity == .error } == [], "\(example)")
        }
        for example in policies { #expect(Fixture.policyFindings(example) == [], "\(example)") }
    }

    /// Compares with a committed file; writes it instead when VIGIL_UPDATE_GOLDEN is 1.
    private static func golden(_ path: String, _ text: String) throws {
        if ProcessInfo.processInfo.environment["VIGIL_UPDATE_GOLDEN"] == "1" {
            try text.write(toFile: Fixture.root + "/" + path, atomically: true, encoding: .utf8)
        }
        #expect(
            try Fixture.text(path) == text,
            "\(path) is out of date; run with VIGIL_UPDATE_GOLDEN=1 and read the difference")
    }

    /// The YAML blocks of a page.
    private static func examples(_ path: String) throws -> [String] {
        try Fixture.text(path).components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    private static func keyPaths(of item: Item, under prefix: String = "") -> Set<String> {
        var paths: Set<String> = []
        for entry in item.entries ?? [] {
            let path = prefix.isEmpty ? entry.key : "\(prefix).\(entry.key)"
            paths.insert(path)
            paths.formUnion(keyPaths(of: entry.value, under: path))
            for element in entry.value.elements ?? [] { paths.formUnion(keyPaths(of: element, under: path + "[]")) }
        }
        return paths
    }

    private static func schemaPaths(_ schema: [String: Any], under prefix: String = "") -> Set<String> {
        var paths: Set<String> = []
        for (name, value) in schema["properties"] as? [String: [String: Any]] ?? [:] {
            let path = prefix.isEmpty ? name : "\(prefix).\(name)"
            paths.insert(path)
            paths.formUnion(schemaPaths(value, under: path))
            if let items = value["items"] as? [String: Any] { paths.formUnion(schemaPaths(items, under: path + "[]")) }
            if let any = value["additionalProperties"] as? [String: Any] {
                paths.formUnion(schemaPaths(any, under: path + ".<name>"))
            }
            for choice in value["anyOf"] as? [[String: Any]] ?? [] { paths.formUnion(schemaPaths(choice, under: path)) }
        }
        return paths
    }
}
