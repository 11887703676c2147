internal import Journal
internal import Machines
internal import Policies
internal import Server

extension DaemonSite {
    func policies() async throws -> [PolicySummary] {
        let loaded = configuration.loaded
        return loaded.policies.values.sorted { $0.name < $1.name }.map { policy in
            PolicySummary(
                name: policy.name, revision: policy.revision, path: policy.file,
                cameras: loaded.configuration.cameras.filter { $0.policy == policy.name }.map(\.name).sorted(),
                summary: policy.summary ?? policy.explain().first ?? "")
        }
    }

    func policy(name: String) async throws -> PolicyText {
        let policy = try known(policy: name)
        let text: String
        do { text = try await Blocking.run { try AtomicFile.text(policy.file) } } catch let problem as FileProblem {
            throw Self.failed("policy \(name) cannot be read from", problem)
        }
        return PolicyText(
            name: policy.name, revision: policy.revision, path: policy.file, text: text,
            explanation: policy.explain().joined(separator: "\n"))
    }

    func checkPolicy(text: String) async throws -> PolicyCheck {
        let policy: PolicyDocument
        do {
            policy = try ConfigurationLoader.policy(text: text, file: "policy.yaml").policy
        } catch {
            return PolicyCheck(
                valid: false, name: nil, explanation: nil,
                findings: error.diagnostics.map { PolicyCheck.Finding($0, file: nil) })
        }
        // Then in the place of the policy of that name: what it means depends on the cameras that follow it.
        let explanation = policy.explain().joined(separator: "\n")
        return try await Blocking.run { [configuration] in
            let known = configuration.loaded.policies[policy.name]?.file
            guard let path = known ?? configuration.newPath(policy: policy.name) else {
                return PolicyCheck(valid: true, name: policy.name, explanation: explanation, findings: [])
            }
            let (result, measured) = configuration.trial(path, text: text)
            let found: [Diagnostic]
            var valid = true
            switch result {
            case .success(let loaded):
                found = (loaded.warnings + measured).filter { $0.concerns(policy.name, in: loaded) }
            case .failure(let refusal):
                valid = false
                found = refusal.diagnostics.filter { $0.severity == .error }
            }
            return PolicyCheck(
                valid: valid, name: policy.name, explanation: valid ? explanation : nil,
                findings: found.map { PolicyCheck.Finding($0, file: $0.file == path ? nil : $0.file) })
        }
    }

    func findings(policy: String?) async throws -> [PolicyCheck.Finding] {
        if let policy { _ = try known(policy: policy) }
        let loaded = configuration.loaded
        let all = try await Blocking.run { [configuration] in configuration.findings() }
        return all.filter { finding in policy.map { finding.concerns($0, in: loaded) } ?? true }
            .map { PolicyCheck.Finding($0, file: $0.file) }
    }

    func applyPolicy(
        name: String, text: String, expectedRevision: String?, by caller: Caller
    ) async throws -> PolicyText {
        let checked = try await checkPolicy(text: text)
        guard checked.valid, checked.name == name else {
            let first = checked.findings.first { $0.severity == .error }
            throw SiteError(
                .invalid, what: "policy \(name)",
                why: checked.valid
                    ? "the text names itself \(checked.name ?? "")"
                    : first.map {
                        "\($0.file.map { $0 + ":" } ?? "line ")\($0.line ?? 0): \($0.keyPath ?? "") \($0.reason)"
                    } ?? "it is not a valid policy",
                remedy: first?.remedy ?? "write name: \(name)")
        }
        do {
            try await Blocking.run { [configuration] in
                try configuration.write(policy: name, text: text, .caller(caller)) { loaded in
                    let existing = loaded.policies[name]
                    guard existing?.revision != expectedRevision else { return }
                    throw SiteError(
                        .conflict, what: "policy \(name)",
                        why: existing == nil ? "it is not there any more" : "somebody changed it meanwhile",
                        remedy: "show it again and repeat the change")
                }
            }
        } catch let refusal as Refusal {
            throw Self.refused(refusal)
        } catch let problem as FileProblem {
            throw Self.failed("policy \(name) was not written to", problem)
        }
        return try await policy(name: name)
    }

    func policyVersions(name: String) async throws -> [PolicyVersion] {
        let policy = try known(policy: name)
        return try await Blocking.run {
            PolicyVersions(policy: policy.name, file: policy.file).all().map {
                PolicyVersion(revision: $0.revision, replaced: WallTime(ms: $0.replacedWallMs), text: $0.text)
            }
        }
    }

    func reload(by caller: Caller) async throws -> ReloadReport {
        let (verdict, changed) = try await Blocking.run { [configuration] in
            let result = configuration.reload(.caller(caller))
            return (result.verdict, result.changed)
        }
        if case .refused(let refusal) = verdict { throw Self.refused(refusal) }
        return ReloadReport(changed: changed)
    }

    static func refused(_ refusal: Refusal) -> SiteError {
        let first = refusal.diagnostics.first { $0.severity == .error }
        return SiteError(
            .invalid, what: first.map { "\($0.file):\($0.line)" } ?? "the configuration",
            why: first?.reason ?? "it cannot be loaded",
            remedy: (first?.remedy ?? "run vigil check") + "; the last good one stays in force")
    }

    private static func failed(_ what: String, _ problem: FileProblem) -> SiteError {
        SiteError(
            problem.kind == .system ? .failed : .conflict, what: "\(what) \(problem.path)", why: problem.cause,
            remedy: problem.remedy)
    }

    func known(policy name: String) throws -> PolicyDocument {
        if let policy = configuration.loaded.policies[name] { return policy }
        let names = configuration.loaded.policies.keys.sorted().joined(separator: ", ")
        throw SiteError(
            .notFound, what: "policy \(name)", why: "no policy has this name", remedy: "the policies are: \(names)")
    }
}

extension PolicyCheck.Finding {
    /// A finding as it is told; without a file where it is in the text that was sent.
    init(_ diagnostic: Diagnostic, file: String?) {
        self.init(
            file: file, line: diagnostic.line, column: diagnostic.column,
            severity: diagnostic.severity == .error ? .error : .warning,
            keyPath: diagnostic.keyPath.isEmpty ? nil : diagnostic.keyPath, rule: diagnostic.rule?.rawValue,
            reason: diagnostic.reason, remedy: diagnostic.remedy,
            trace: diagnostic.trace.map { Line(at: $0.at, what: $0.what) })
    }
}
