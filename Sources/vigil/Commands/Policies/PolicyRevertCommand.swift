internal import ArgumentParser
internal import Client
internal import Wire

/// `vigil policy revert NAME VERSION`
struct PolicyRevertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert", abstract: "Give a policy a text back that it had before.",
        discussion: """
            Each change by command keeps the text before it; the last 20 of each policy are kept, in the folder .versions \
            beside its file. VERSION is a revision as vigil policy log tells it, or its first digits. The difference is shown \
            and applied at once; what is replaced is kept too, so a revert can be reverted. Where the policy's file is gone it is \
            written again; nothing else that stands in its place is touched.
            """)

    @Argument(help: "The policy.")
    var policy: String

    @Argument(help: "The revision that it shall have again.")
    var version: String

    @OptionGroup var socket: SocketOption

    func run() async throws {
        try await socket.ask { client in
            let current = try await Self.current(policy, client)
            let versions = try await client.policyVersions(name: policy)
            let found = versions.filter { $0.revision.hasPrefix(version.lowercased()) }
            guard !version.isEmpty, let wanted = found.last, Set(found.map(\.revision)).count == 1 else {
                let kept = versions.reversed().map(\.revision).joined(separator: ", ")
                throw Failure(
                    "policy \(policy) has \(found.isEmpty ? "no version" : "several versions") \(version); "
                        + (kept.isEmpty
                            ? "none is kept: it was never changed by command" : "kept are, the newest first: \(kept)"))
            }
            try await PolicyChange(policy: current, text: wanted.text).apply(over: client, asking: false)
        }
    }

    /// The policy in force; without a text where its file is gone.
    private static func current(_ name: String, _ client: DaemonClient) async throws -> PolicyText {
        do { return try await client.policy(name: name) } catch ClientError.refused(let error)
            where error.kind == .conflict
        {
            guard let known = try await client.policies().first(where: { $0.name == name }) else {
                throw ClientError.refused(error)
            }
            return PolicyText(name: name, revision: known.revision, path: known.path, text: "", explanation: "")
        }
    }
}
