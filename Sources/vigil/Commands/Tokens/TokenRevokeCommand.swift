internal import ArgumentParser
internal import Client

/// `vigil token revoke`
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Make a token worthless at once, with all its logins.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var socket: SocketOption

    func run() async throws {
        let name = name
        try await socket.ask { try await $0.revokeToken(name: name) }
        try Output.line("token \(name) is revoked")
    }
}
