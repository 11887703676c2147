internal import ArgumentParser
internal import Client

/// `vigil policy list`
struct PolicyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the policies that are loaded.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let policies = try await socket.ask { try await $0.policies() }
        if format.json { return try Output.json(policies) }
        var table = Table("POLICY", "REVISION", "CAMERAS", "WHAT")
        for policy in policies {
            let cameras = policy.cameras.isEmpty ? "-" : policy.cameras.joined(separator: " ")
            table.add(policy.name, policy.revision, cameras, policy.summary)
        }
        try table.write(orSay: "no policies are loaded")
    }
}
