internal import ArgumentParser
internal import Client
internal import Foundation
internal import Policies

/// `vigil policy check`
struct PolicyCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what in a policy is not possible, with an example; changes nothing.",
        discussion: """
            Checks a policy that is loaded, all of them, or a file before it is used. The times of events are tried with the \
            machine that records, the schedule with the clock changes to come, and ages and pre-roll with what was measured \
            of disk and cameras. Each finding names its rule, shows what would happen, and says what to do. A policy with \
            an error cannot be loaded or applied; one with a warning can. Exit status 1 where there is an error.

            With --config the files are checked without the daemon, and nothing is known of disk and cameras.
            """)

    @Argument(
        help: "A policy, or a file (with a slash, or .yaml at its end); - for standard input.",
        completion: .file(extensions: ["yaml", "yml"]))
    var policy: String?

    @Flag(name: .long, help: "Check all policies.")
    var all = false

    @Option(
        name: .long, help: ArgumentHelp("Check the files of this configuration.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    /// What is answered of policies; of a file it is the daemon's verdict.
    private struct Answer: Encodable {
        let valid: Bool
        let findings: [Diagnostic]
    }

    func validate() throws {
        guard (policy != nil) != all else { throw ValidationError("name a policy or a file, or give --all") }
        if config != nil, isFile { throw ValidationError("--config takes the name of a policy, or --all") }
    }

    func run() async throws {
        if let policy, isFile { return try await check(file: policy) }
        let findings: [Diagnostic]
        if let config {
            findings = try offline(config)
        } else {
            let found = try await socket.ask { try await $0.findings(policy: policy) }
            findings = found.map { Diagnostic($0, file: "") }
        }
        try tell(findings, subject: policy.map { "policy \($0)" } ?? "all policies")
    }

    private var isFile: Bool {
        guard let policy else { return false }
        return policy == "-" || policy.contains("/") || policy.hasSuffix(".yaml") || policy.hasSuffix(".yml")
    }

    private func tell(_ findings: [Diagnostic], subject: String) throws {
        let errors = findings.count { $0.severity == .error }
        if format.json {
            try Output.json(Answer(valid: errors == 0, findings: findings))
        } else {
            for finding in findings { try Output.line(finding.story) }
        }
        if errors > 0 { throw Failure("\(subject): \(errors == 1 ? "1 error" : "\(errors) errors")") }
        if !format.json { try Output.line(findings.isEmpty ? "\(subject): good" : "\(subject): good, with warnings") }
    }

    /// What the files tell.
    private func offline(_ config: String) throws -> [Diagnostic] {
        switch ConfigurationLoader().load(config).result {
        // Which file is which policy's is not known then.
        case .failure(let refusal): return refusal.diagnostics
        case .success(let loaded):
            let all = loaded.warnings + Examiner().examine(loaded, facts: nil)
            guard let policy else { return all }
            guard loaded.policies[policy] != nil else {
                throw Failure(
                    "\(config) has no policy \(policy); there are \(loaded.policies.keys.sorted().joined(separator: ", "))"
                )
            }
            return all.filter { $0.concerns(policy, in: loaded) }
        }
    }

    private func check(file: String) async throws {
        let text = try Self.read(file)
        let check: PolicyCheck
        do {
            check = try await socket.ask { try await $0.checkPolicy(text: text) }
        } catch ClientError.noDaemon {
            return try alone(text, file: file)
        }
        if format.json {
            try Output.json(check)
        } else if check.valid {
            for finding in check.findings { try Output.line(PolicyVerdict.story(finding, file: file)) }
            try Output.line("\(file): good, policy \(check.name ?? "")\n\n\(check.explanation ?? "")".trimmedAtEnd)
        }
        guard check.valid else { throw Failure(PolicyVerdict.refusal(check, file: file)) }
    }

    /// Without a daemon: what the text tells, in this machine's time zone.
    private func alone(_ text: String, file: String) throws {
        if !format.json { Output.note("no daemon answers: checked by itself, in this machine's time zone") }
        let findings: [Diagnostic]
        do {
            let (document, warnings) = try ConfigurationLoader.policy(text: text, file: file)
            findings = warnings + Examiner().clockChanges([document], zone: TimeZone.current.identifier)
        } catch { findings = error.diagnostics }
        try tell(findings, subject: file)
    }

    private static func read(_ file: String) throws -> String {
        do {
            let data =
                file == "-"
                ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(fileURLWithPath: file))
            guard let text = String(data: data, encoding: .utf8) else { throw Failure("\(file) is not UTF-8 text") }
            return text
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("cannot read \(file): \((error as NSError).localizedDescription)")
        }
    }
}
