internal import HTTPTypes
public import Wire

extension Vigil {
    /// Who one is for the daemon, and what one may do there.
    public func me() async throws -> CallerInfo { try await ask(.get, "/v1/me").answer }

    /// Every token, without its secret.
    public func tokens() async throws -> [TokenInfo] { try await ask(.get, "/v1/tokens").answer }

    /// Makes a token; its text is told only here.
    public func createToken(_ command: CreateTokenCommand) async throws -> CreatedToken {
        try await ask(.post, "/v1/tokens", body: command).answer
    }

    /// Makes a token worthless.
    public func revokeToken(name: String) async throws {
        _ = try await send(.delete, "/v1/tokens/\(Percent.encode(name))", query: [])
    }

    /// Makes a link that logs the page in once, as the token of that name, or as the site's owner.
    public func makeLink(token: String?) async throws -> LoginLink {
        try await ask(.post, "/v1/links", body: LinkCommand(token: token)).answer
    }
}
