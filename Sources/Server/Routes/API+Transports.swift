internal import HTTPTypes

extension API {
    /// Routes of transports.
    static func transports(_ site: any TransportSite) -> [Route] {
        let all = "/v1/cameras/{camera}/transports"
        let one = all + "/{transport}"
        return [
            Route(.get, all + "/capabilities", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.transportCapabilities(camera: reader.path("camera")))
            },
            Route(.get, all, .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.transports(camera: reader.path("camera")))
            },
            Route(.post, all, .operate) { reader in
                let options = try await reader.body(TransportOptions.self)
                return try Reply.json(
                    await site.allocateTransport(camera: reader.path("camera"), options, by: reader.caller))
            },
            Route(.put, all + "/status", .operate) { reader in
                let command = try await reader.body(TransportStatusCommand.self)
                return try Reply.json(
                    await site.setTransports(camera: reader.path("camera"), command, by: reader.caller))
            },
            Route(.get, one, .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.transport(camera: reader.path("camera"), number: reader.transport()))
            },
            Route(.patch, one, .operate) { reader in
                let options = try await reader.body(TransportOptions.self)
                return try Reply.json(
                    await site.modifyTransport(
                        camera: reader.path("camera"), number: reader.transport(), options, by: reader.caller))
            },
            Route(.delete, one, .operate) { reader in
                _ = try reader.query([])
                return try Reply.json(
                    await site.deallocateTransport(
                        camera: reader.path("camera"), number: reader.transport(), by: reader.caller))
            },
            Route(.post, one + "/trigger", .operate) { reader in
                let command = try await reader.body(TransportTriggerCommand.self)
                return try Reply.json(
                    await site.triggerTransport(
                        camera: reader.path("camera"), number: reader.transport(), command, by: reader.caller))
            },
            Route(.get, one + "/recordings", .view) { reader in
                let query = try reader.query(["before", "limit"])
                return try Reply.json(
                    await site.transportRecordings(
                        camera: reader.path("camera"), number: reader.transport(),
                        before: query["before"].map { try Query.id($0, of: "recording") },
                        limit: query.whole("limit", 1...ListFilter.pageMax) ?? 100))
            },
        ]
    }
}

extension RequestReader {
    /// The number of a transport that the path names.
    fileprivate func transport() throws -> Int {
        try Query.whole(path("transport"), of: "transport", 0...TransportInfo.numberMax)
    }
}
