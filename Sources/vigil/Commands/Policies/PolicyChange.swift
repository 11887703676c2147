internal import Client

/// A policy with a new text that is to be applied.
struct PolicyChange {
    /// The policy from which the text was made.
    let policy: PolicyText
    /// The new text.
    let text: String

    /// Shows the difference, asks where `asking` says so, and applies. Refused where somebody changed the policy
    /// meanwhile.
    func apply(over client: DaemonClient, asking: Bool) async throws {
        guard text != policy.text else { return try Output.line("\(policy.name): nothing changed") }
        let difference = LineDifference(from: policy.text, to: text)
        try Output.line(difference.lines.joined(separator: "\n"))
        if asking, try !Question.ask("Apply to policy \(policy.name)?") { throw Failure("not applied") }
        let applied = try await client.applyPolicy(
            name: policy.name, text: text, expectedRevision: policy.revision)
        try Output.line("\(applied.name): applied, revision \(applied.revision)")
    }
}
