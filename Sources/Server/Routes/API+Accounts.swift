internal import HTTPTypes

extension API {
    /// Routes about who may speak to the daemon.
    static func accounts(_ site: any AccountSite) -> [Route] {
        [
            Route(.get, "/v1/me", .view, about: .nothing) { reader in
                _ = try reader.query([])
                return try Reply.json(CallerInfo(reader.principal))
            },
            Route(.get, "/v1/tokens", .administer) { reader in
                _ = try reader.query([])
                return try Reply.json(site.accounts.tokens())
            },
            Route(.post, "/v1/tokens", .administer) { reader in
                let command = try await reader.body(CreateTokenCommand.self)
                let created = try site.accounts.create(command, by: reader.caller)
                try await site.keepAccounts()
                return try Reply.json(created, status: .created)
            },
            Route(.delete, "/v1/tokens/{token}", .administer) { reader in
                let name = try reader.path("token")
                try site.accounts.revoke(name, by: reader.caller)
                try await site.keepAccounts()
                return Reply.nothing()
            },
            Route(.post, "/v1/links", .administer) { reader in
                let command = try await reader.body(LinkCommand.self)
                let (code, token, ends) = try site.accounts.code(for: command.token, by: reader.caller)
                try await site.keepAccounts()
                let url = site.pageAddress.map { "\($0)/#login=\(code)" }
                return try Reply.json(
                    LoginLink(url: url, code: code, token: token, expires: ends), status: .created)
            },
        ]
    }
}
