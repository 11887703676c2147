internal import HTTPTypes

extension API {
    /// Routes that find cameras and add them.
    static func discovering(_ site: any DiscoverySite) -> [Route] {
        [
            Route(.post, "/v1/discover", .administer) { reader in
                let command = try await reader.body(DiscoverCommand.self)
                if let (reason, remedy) = command.flaw { throw SiteError.invalid(reason, remedy) }
                return try Reply.json(await site.discover(command, by: reader.caller))
            },
            Route(.post, "/v1/discover/picture", .administer) { reader in
                let command = try await reader.body(PictureCommand.self)
                if let (reason, remedy) = command.flaw { throw SiteError.invalid(reason, remedy) }
                return Reply.picture(try await site.picture(command, by: reader.caller))
            },
            Route(.post, "/v1/cameras", .administer) { reader in
                let command = try await reader.body(NewCameraCommand.self)
                if let (reason, remedy) = command.flaw { throw SiteError.invalid(reason, remedy) }
                return try Reply.json(await site.add(command, by: reader.caller))
            },
        ]
    }
}
