/// The verdict over a policy's text, as `POST /v1/policies/check` tells it.
public struct PolicyCheck: Hashable, Sendable, Codable {
    /// One thing that is wrong with a policy, or probably not meant.
    public struct Finding: Hashable, Sendable, Codable {
        /// How bad it is.
        public enum Severity: String, Hashable, Sendable, Codable {
            /// It is refused.
            case error
            /// It is told.
            case warning
        }

        /// One line of the story, or of the sum, that shows what it means.
        public struct Line: Hashable, Sendable, Codable {
            /// When; empty in a sum.
            public var at: String
            /// What happens, or what is added up.
            public var what: String

            /// A line.
            public init(at: String, what: String) {
                self.at = at
                self.what = what
            }
        }

        /// The file, where it is not the text that was sent.
        public var file: String?
        /// The line, 1 or more; absent where no line can be named.
        public var line: Int?
        /// The column, 1 or more.
        public var column: Int?
        /// How bad it is.
        public var severity: Severity
        /// The key that it is about, such as `recording.blind`.
        public var keyPath: String?
        /// The rule that found it; absent for what syntax and form tell.
        public var rule: String?
        /// What is wrong.
        public var reason: String
        /// What to do about it.
        public var remedy: String

        /// What would happen, line by line.
        public var trace: [Line]

        /// A finding.
        public init(
            file: String? = nil, line: Int?, column: Int? = nil, severity: Severity = .error, keyPath: String? = nil,
            rule: String? = nil, reason: String, remedy: String, trace: [Line] = []
        ) {
            self.file = file
            self.line = line
            self.column = column
            self.severity = severity
            self.keyPath = keyPath
            self.rule = rule
            self.reason = reason
            self.remedy = remedy
            self.trace = trace
        }
    }

    /// Whether the text can be applied.
    public var valid: Bool
    /// The name that the text gives its policy; absent where it cannot be read.
    public var name: String?
    /// What it would do, in sentences; absent where it is not valid.
    public var explanation: String?
    /// What is wrong or probably not meant, in the order of the lines. An error beside `valid` is measured, and
    /// holds for the policy in force as well.
    public var findings: [Finding]

    /// A verdict.
    public init(valid: Bool, name: String?, explanation: String?, findings: [Finding]) {
        self.valid = valid
        self.name = name
        self.explanation = explanation
        self.findings = findings
    }
}
