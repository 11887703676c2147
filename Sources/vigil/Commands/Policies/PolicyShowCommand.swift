internal import ArgumentParser
internal import Client

/// `vigil policy show NAME`
struct PolicyShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show what a policy does, and its text.")

    @Argument(help: "The policy.")
    var name: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let policy = try await socket.ask { try await $0.policy(name: name) }
        if format.json { return try Output.json(policy) }
        let head = "\(policy.name), revision \(policy.revision), \(policy.path)"
        let text = policy.text.hasSuffix("\n") ? String(policy.text.dropLast()) : policy.text
        try Output.line("\(head)\n\n\(policy.explanation)\n\n\(text)")
    }
}
