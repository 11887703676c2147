internal import ArgumentParser

/// `vigil token …`
struct TokenGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Let people and programs in over HTTP: create, list and revoke tokens, make links.",
        discussion: """
            A token is a name for whoever holds it, and says what they may do: a viewer looks, an operator acts on cameras and \
            clips as well, an admin changes policies and tokens as well. Programs send it with each request, as the field \
            "Authorization: Bearer TOKEN"; the web page is logged in with it, or with a link.
            """,
        subcommands: [
            TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self, TokenLinkCommand.self,
        ])
}
