/// The verdict over a policy's text, as `POST /v1/policies/check` tells it.
public struct PolicyCheck: Hashable, Sendable, Codable {
    /// One thing that is wrong with the text.
    public struct Finding: Hashable, Sendable, Codable {
        /// The line, 1 or more; absent where no line can be named.
        public var line: Int?
        /// What is wrong.
        public var reason: String
        /// What to do about it.
        public var remedy: String

        /// A finding.
        public init(line: Int?, reason: String, remedy: String) {
            self.line = line
            self.reason = reason
            self.remedy = remedy
        }
    }

    /// Whether the text can be applied.
    public var valid: Bool
    /// The name that the text gives its policy; absent where it cannot be read.
    public var name: String?
    /// What it would do, in sentences; absent where it is not valid.
    public var explanation: String?
    /// What is wrong, in the order of the lines; empty where it is valid.
    public var findings: [Finding]

    /// A verdict.
    public init(valid: Bool, name: String?, explanation: String?, findings: [Finding]) {
        self.valid = valid
        self.name = name
        self.explanation = explanation
        self.findings = findings
    }
}
