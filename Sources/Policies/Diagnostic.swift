/// One finding about a configuration or policy file, with its place and what to do about it.
///
/// A diagnostic never carries a secret: values of keys that may hold one are not quoted.
public struct Diagnostic: Hashable, Sendable, Codable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
        /// The file is refused; the last good one stays in force.
        case error
        /// The file is accepted; the owner probably meant something else.
        case warning
    }

    /// The file as it was named to the loader.
    public let file: String
    /// Line, from 1; 1 also where the finding is about the whole file.
    public let line: Int
    /// Column in characters, from 1.
    public let column: Int
    /// How bad it is.
    public let severity: Severity
    /// The key it is about, such as `recording.preRoll` or `schedule[0].from`; empty for the whole file.
    public let keyPath: String
    /// What is wrong.
    public let reason: String
    /// What the operator can do.
    public let remedy: String
    /// The rule that found it; nil for what the syntax and the form of values tell.
    public let rule: Rule?
    /// What would happen, as a story with times, or the sum that does not come out; empty where the reason says it all.
    public let trace: [TraceLine]

    /// A finding.
    public init(
        file: String, line: Int, column: Int, severity: Severity, keyPath: String, reason: String, remedy: String,
        rule: Rule? = nil, trace: [TraceLine] = []
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.severity = severity
        self.keyPath = Self.oneLine(keyPath)
        self.reason = Self.oneLine(reason)
        self.remedy = Self.oneLine(remedy)
        self.rule = rule
        self.trace = trace
    }
}

extension Diagnostic {
    /// Words of a file stand in a sentence: what would end its line there is shown as an escape. Whoever writes to a terminal
    /// escapes the other control characters.
    private static func oneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x0A, 0x0D, 0x09].contains($0) }) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: String(scalar)
            }
        }.joined()
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The finding on one line, in the form that editors jump to: `file:line:column: error: key: reason; remedy`.
    public var description: String {
        let key = keyPath.isEmpty ? "" : "\(keyPath): "
        return "\(Self.oneLine(file)):\(line):\(column): \(severity.rawValue): \(key)\(reason); \(remedy)"
    }

    /// The finding with its rule, and its trace below.
    public var story: String {
        ([description + (rule.map { " [\($0.rawValue)]" } ?? "")] + (trace.isEmpty ? [] : [trace.text])).joined(
            separator: "\n")
    }
}

extension Diagnostic {
    /// Whether it is about a policy: in its file, or about the zones of a camera that follows it.
    public func concerns(_ policy: String, in loaded: LoadedConfiguration) -> Bool {
        if file == loaded.policies[policy]?.file { return true }
        return loaded.configuration.cameras.contains {
            $0.policy == policy && keyPath == "cameras.\($0.name).zones"
        }
    }

    /// By file, then by place, errors and warnings mixed, so that an owner goes through a file from top to bottom.
    static func inReadingOrder(_ left: Diagnostic, _ right: Diagnostic) -> Bool {
        (left.file, left.line, left.column, left.keyPath) < (right.file, right.line, right.column, right.keyPath)
    }
}

/// Why a configuration or policy was refused: everything that was found, not only the first.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// All findings in reading order, at least one of them an error.
    public let diagnostics: [Diagnostic]

    /// A refusal for these findings.
    public init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics.sorted(by: Diagnostic.inReadingOrder)
    }

    /// One line for each finding.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }

    /// Every finding with its rule and its trace.
    public var story: String { diagnostics.map(\.story).joined(separator: "\n") }
}
