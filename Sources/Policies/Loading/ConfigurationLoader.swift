/// Loads vigil.yaml and the policies it names: everything or nothing, with every finding collected.
///
/// Called by the daemon at start and on each change, and by `vigil check`. Blocking: it reads files.
public struct ConfigurationLoader: Sendable {
    /// Most policy files of one configuration.
    static let policyFileLimit = 256

    private let files: any FileReading
    private let examiner: Examiner?

    /// A loader over these files. An examiner looks at the clock changes to come; without one they are left to the caller, for
    /// whom a new rule of some government must not be a reason to refuse what was good before.
    public init(files: any FileReading = DiskFiles(), examiner: Examiner? = Examiner()) {
        self.files = files
        self.examiner = examiner
    }

    /// Loads the configuration at a path. Blocking.
    public func load(_ path: String) -> LoadOutcome {
        var pass = LoadingPass(files: files, path: path, examiner: examiner)
        let result = pass.run()
        return LoadOutcome(result: result, watched: pass.watched)
    }

    /// Checks the text of a policy. Pure. Throws a ``Refusal`` when it holds an error.
    public static func policy(text: String, file: String) throws(Refusal) -> (
        policy: PolicyDocument, warnings: [Diagnostic]
    ) {
        try policy(bytes: Array(text.utf8), file: file)
    }

    private static func policy(bytes: [UInt8], file: String) throws(Refusal) -> (
        policy: PolicyDocument, warnings: [Diagnostic]
    ) {
        let outcome = PolicyReader.read(bytes, file: file)
        guard let document = outcome.document else { throw Refusal(diagnostics: outcome.diagnostics) }
        return (document, outcome.diagnostics.sorted(by: Diagnostic.inReadingOrder))
    }
}

extension FileProblem {
    /// The problem as a finding about the key that names the file.
    func diagnostic(
        in file: String, at place: Place, keyPath: String, severity: Diagnostic.Severity = .error
    ) -> Diagnostic {
        Diagnostic(
            file: file, line: place.line, column: place.column, severity: severity, keyPath: keyPath,
            reason: "cannot \(operation) \(path): \(cause)", remedy: remedy)
    }
}
