/// The two kinds of files that an owner writes. Their schemas and reference tables come from the same key tables as the
/// loader's checks, so the three cannot drift apart.
public enum FileKind: String, Hashable, Sendable, CaseIterable {
    /// vigil.yaml.
    case configuration
    /// A policy file.
    case policy

    /// The key table.
    var keys: [Key] {
        switch self {
        case .configuration: Key.configuration
        case .policy: Key.policy
        }
    }

    /// The JSON Schema (draft 2020-12) as text, ending in a newline: `docs/reference/policy.schema.json` and
    /// `vigil.schema.json`.
    var schema: String {
        let title = self == .policy ? "Vigil policy" : "Vigil configuration"
        let head: [(String, SchemaJSON)] = [
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("title", .string(title)),
        ]
        return SchemaJSON.object(head + Key.section(keys)).text() + "\n"
    }

    /// The keys as a Markdown table: key, value, default, purpose. Part of docs/reference.
    var referenceTable: String {
        let rows = Key.flattened(keys).map { located in
            let key = located.key
            let standard =
                key.required
                ? "required" : key.standard.map { "`\($0)`" } ?? (key.absence.isEmpty ? "none" : key.absence)
            return "| `\(located.path)` | \(key.inWords) | \(standard) | \(key.purpose) |"
        }
        return "| key | value | default | purpose |\n|---|---|---|---|\n" + rows.joined(separator: "\n") + "\n"
    }
}

extension Key {
    /// The value in words for the reference table.
    fileprivate var inWords: String {
        switch value {
        case .value(let form): form.inWords
        case .section: "a section"
        case .valueOrSection(let form, _): form.inWords + ", or a section"
        case .values(let form, let limit): "a list (at most \(limit)) of: " + form.inWords
        case .sections(_, let limit): "a list of sections, at most \(limit)"
        case .named(_, _, let limit): "names, each with a section; at most \(limit)"
        case .areas(let limit):
            "names, each with a list of \(AreaText.corners.lowerBound) to \(AreaText.corners.upperBound) corners `[x, y]`, `0` to `1`; at most \(limit)"
        }
    }

    /// The schema of a section with these keys.
    fileprivate static func section(_ keys: [Key]) -> [(String, SchemaJSON)] {
        var members: [(String, SchemaJSON)] = [
            ("type", .string("object")), ("additionalProperties", .flag(false)),
            ("properties", .object(keys.map { ($0.name, $0.schema) })),
        ]
        let required = keys.filter(\.required).map { SchemaJSON.string($0.name) }
        if !required.isEmpty { members.append(("required", .array(required))) }
        return members
    }

    private var schema: SchemaJSON {
        var members: [(String, SchemaJSON)] = [("description", .string(purpose + standardInWords))]
        switch value {
        case .value(let form): members += form.schema.members
        case .section(let keys): members += Key.section(keys)
        case .valueOrSection(let form, let keys):
            members.append(("anyOf", .array([form.schema, .object(Key.section(keys))])))
        case .values(let form, let limit):
            members += [("type", .string("array")), ("maxItems", .number(limit)), ("items", form.schema)]
        case .sections(let keys, let limit):
            members += [
                ("type", .string("array")), ("maxItems", .number(limit)), ("items", .object(Key.section(keys))),
            ]
        case .named(_, let keys, let limit):
            members += [
                ("type", .string("object")), ("maxProperties", .number(limit)),
                ("propertyNames", ValueForm.name.schema),
                ("additionalProperties", .object(Key.section(keys))),
            ]
        case .areas(let limit):
            members += [
                ("type", .string("object")), ("maxProperties", .number(limit)),
                ("propertyNames", ValueForm.name.schema), ("additionalProperties", AreaText.schema),
            ]
        }
        return .object(members)
    }

    private var standardInWords: String {
        if required { return "" }
        if let standard { return " Default: \(standard)." }
        return absence.isEmpty ? "" : " If left out: \(absence)."
    }
}

extension SchemaJSON {
    /// The members of an object; none of anything else.
    fileprivate var members: [(String, SchemaJSON)] {
        if case .object(let pairs) = self { pairs } else { [] }
    }
}
