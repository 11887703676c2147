internal import Policies
internal import Wire

/// What is wrong with policies, as people read it.
enum PolicyVerdict {
    /// `shop.yaml is refused:`, then each finding with its trace.
    static func refusal(_ check: PolicyCheck, file: String) -> String {
        (["\(file) is refused:"] + check.findings.map { story($0, file: file) }).joined(separator: "\n")
    }

    /// `shop.yaml:4:9: error: recording.blind: reason; remedy [rule]`, and the trace below; `file` where the finding names none.
    static func story(_ finding: PolicyCheck.Finding, file: String) -> String {
        Diagnostic(finding, file: file).story
    }
}

extension Diagnostic {
    /// A finding of the daemon; in `file` where it names none.
    init(_ finding: PolicyCheck.Finding, file: String) {
        self.init(
            file: finding.file ?? file, line: finding.line ?? 1, column: finding.column ?? 1,
            severity: finding.severity == .error ? .error : .warning, keyPath: finding.keyPath ?? "",
            reason: finding.reason, remedy: finding.remedy, rule: finding.rule.flatMap(Rule.init(rawValue:)),
            trace: finding.trace.map { TraceLine($0.at, $0.what) })
    }
}
