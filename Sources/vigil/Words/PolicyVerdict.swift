internal import Server

/// What is wrong with a policy's text, as people read it.
enum PolicyVerdict {
    /// `shop.yaml is refused`, then a line for each finding: `shop.yaml:4: reason; remedy`.
    static func refusal(_ check: PolicyCheck, file: String) -> String {
        let findings = check.findings.map { finding in
            "  \(file)\(finding.line.map { ":\($0)" } ?? ""): \(finding.reason); \(finding.remedy)"
        }
        return (["\(file) is refused:"] + findings).joined(separator: "\n")
    }
}
