internal import HTTPTypes
internal import NIOCore

extension API {
    /// Routes that change nothing.
    static func reading(_ site: any ReadingSite) -> [Route] {
        [
            Route(.get, "/v1/status", .view, about: .cameras) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.status(in: reader.cameras(only: nil)))
            },
            Route(.get, "/v1/health", .view, about: .nothing) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.health())
            },
            Route(.get, "/v1/cameras", .view, about: .cameras) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.cameras(in: reader.cameras(only: nil)))
            },
            Route(.get, "/v1/states", .view, about: .cameras) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.states(in: reader.cameras(only: nil)))
            },
            Route(.get, "/v1/cameras/{camera}/state", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.state(camera: reader.path("camera")))
            },
            Route(.get, "/v1/cameras/{camera}/capabilities", .view) { reader in
                _ = try reader.query([])
                return try Reply.json(await site.capabilities(camera: reader.path("camera")))
            },
            Route(.get, "/v1/cameras/{camera}/coverage", .view) { reader in
                let (from, to) = try reader.interval()
                guard to.ms - from.ms <= CoverageReport.lengthMsMax else {
                    throw SiteError.invalid("the time is longer than 500 days", "ask for a shorter one")
                }
                let report = try await site.coverage(camera: reader.path("camera"), from: from, to: to)
                return Reply.json(bytes: ByteBuffer(bytes: try JSONBytes.of(report)))
            },
            Route(.get, "/v1/clips", .view, about: .cameras) { reader in
                let filter = try reader.filter()
                let scope = try reader.cameras(among: filter.cameras)
                return try await Reply.listing(filter) { try await site.clips($0, in: scope) }
            },
            Route(.get, "/v1/events", .view, about: .cameras) { reader in
                let filter = try reader.eventFilter()
                let scope = try reader.cameras(among: filter.cameras)
                return try await Reply.listing(filter) { try await site.events($0, in: scope) }
            },
            Route(.get, "/v1/cameras/{camera}/suppressed", .view) { reader in
                let (from, to) = try reader.interval()
                return try Reply.json(await site.suppressed(camera: reader.path("camera"), from: from, to: to))
            },
            Route(.get, "/v1/messages", .view, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.messages(in: reader.cameras(among: cameras)))
            },
            Route(.get, "/v1/notifications", .view, about: .cameras) { reader in
                let cameras = try reader.query(["camera"]).names("camera")
                return try Reply.json(await site.notifications(in: reader.cameras(among: cameras)))
            },
            Route(.get, "/metrics", .view) { reader in
                _ = try reader.query([])
                return Reply.metrics(try await site.metrics())
            },
        ]
    }
}
