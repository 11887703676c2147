/// A configuration with all policies it needs, as they were at one moment. Everything in it is checked.
public struct LoadedConfiguration: Hashable, Sendable {
    /// What vigil.yaml says.
    public let configuration: Configuration
    /// The policies by name; every camera's policy is among them.
    public let policies: [String: PolicyDocument]
    /// The first 12 hexadecimal digits of a SHA-256 over vigil.yaml and all policy files.
    public let revision: String
    /// The first 12 hexadecimal digits of the SHA-256 of vigil.yaml alone.
    public let fileRevision: String
    /// Warnings, in reading order.
    public let warnings: [Diagnostic]

    /// The policy of a camera of this configuration; nil for a name that is not there.
    public func policy(ofCamera name: String) -> PolicyDocument? {
        configuration.camera(name).flatMap { policies[$0.policy] }
    }
}

/// What came of loading.
public struct LoadOutcome: Sendable {
    /// The configuration, or everything that was found wrong.
    public let result: Result<LoadedConfiguration, Refusal>
    /// The files that were read or looked for, and the folders that were listed. Watching them tells when to load again;
    /// it is right also after a refusal, so that a repair is noticed.
    public let watched: WatchList

    /// This outcome as a refusal, for what only its reader can find wrong; itself where there are no findings.
    public func refused(for findings: [Diagnostic]) -> LoadOutcome {
        guard case .success(let loaded) = result, !findings.isEmpty else { return self }
        return LoadOutcome(
            result: .failure(Refusal(diagnostics: loaded.warnings + findings)), watched: watched)
    }
}

/// What to watch for changes. Editors replace files, so watch the folder of each file as well.
public struct WatchList: Hashable, Sendable {
    /// Files, sorted, those of credentials too; some may not exist yet.
    public var files: [String]
    /// Folders of policies, sorted; some may not exist yet.
    public var folders: [String]
}
