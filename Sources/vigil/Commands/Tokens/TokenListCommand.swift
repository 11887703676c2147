internal import ArgumentParser
internal import Client

/// `vigil token list`
struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens: what they may do, on which cameras, and when they were last used.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let (tokens, clock) = try await socket.ask { client in (try await client.tokens(), try await client.clock()) }
        if format.json { return try Output.json(tokens) }
        var table = Table("TOKEN", "ROLE", "CAMERAS", "CREATED", "EXPIRES", "LAST USED")
        for token in tokens {
            let end = token.expires.map { clock.show($0) + ($0 <= clock.now ? " (over)" : "") } ?? "never"
            let used =
                token.lastUsed.map { clock.show($0) + (token.lastAddress.map { " from \($0)" } ?? "") } ?? "never"
            table.add(
                token.name, token.role.rawValue, token.cameras?.joined(separator: " ") ?? "all",
                clock.show(token.created), end, used)
        }
        try table.write(orSay: "there is no token; vigil token create makes one, vigil token link logs the page in")
    }
}
