internal import HTTPTypes

extension API {
    /// Routes about policies and the configuration.
    static func policies(_ site: any PolicySite) -> [Route] {
        [
            Route(.post, "/v1/reload", .administer) { reader in
                try Reply.json(await site.reload(by: reader.caller))
            },
            Route(.get, "/v1/cameras/{camera}/areas", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.areas(camera: reader.path("camera")))
            },
            Route(.put, "/v1/cameras/{camera}/areas", .administer) { reader in
                let command = try await reader.body(AreasCommand.self)
                return try Reply.json(
                    await site.setAreas(camera: reader.path("camera"), command, by: reader.caller))
            },
            Route(.get, "/v1/policies", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.policies())
            },
            Route(.post, "/v1/policies/check", .view) { reader in
                let command = try await reader.body(PolicyCheckRequest.self)
                return try Reply.json(await site.checkPolicy(text: command.text))
            },
            Route(.get, "/v1/findings", .view) { reader in
                let policy = try reader.query(["policy"])["policy"]
                return try Reply.json(await site.findings(policy: policy))
            },
            Route(.get, "/v1/policies/{policy}", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.policy(name: reader.path("policy")))
            },
            Route(.get, "/v1/policies/{policy}/versions", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.policyVersions(name: reader.path("policy")))
            },
            Route(.put, "/v1/policies/{policy}", .administer) { reader in
                let command = try await reader.body(ApplyCommand.self)
                return try Reply.json(
                    await site.applyPolicy(
                        name: reader.path("policy"), text: command.text, expectedRevision: command.expectedRevision,
                        by: reader.caller))
            },
        ]
    }
}
