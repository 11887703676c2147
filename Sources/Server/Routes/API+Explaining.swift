internal import HTTPTypes

extension API {
    /// Routes that look back at what was decided: why, and what another policy would have recorded.
    static func explaining(_ site: any ExplainingSite) -> [Route] {
        [
            Route(.get, "/v1/cameras/{camera}/why", .view) { reader in
                guard let moment = try reader.query(["at"]).time("at") else {
                    throw SiteError.invalid("at is missing", "give the moment as an RFC 3339 time")
                }
                return try Reply.json(await site.why(camera: reader.path("camera"), at: moment))
            },
            Route(.get, "/v1/cameras/{camera}/ladder", .view) { reader in
                let query = try reader.query(["from", "to", "asEvents"])
                let (from, to) = try query.interval()
                try ExplanationBounds.check(from, to)
                let asEvents = try query.flag("asEvents")
                return try Reply.json(
                    await site.ladder(camera: reader.path("camera"), from: from, to: to, asEvents: asEvents))
            },
            Route(.post, "/v1/simulate", .view, about: .cameras) { reader in
                let command = try await reader.body(SimulateRequest.self)
                if let (why, remedy) = command.flaw { throw SiteError.invalid(why, remedy) }
                try ExplanationBounds.check(command.from, command.to)
                return try Reply.json(await site.simulate(command, in: reader.cameras(only: command.camera)))
            },
        ]
    }
}

extension ExplanationBounds {
    /// Throws `invalid` where the time is empty or longer than one answer may look at.
    fileprivate static func check(_ from: WallTime, _ to: WallTime) throws {
        guard from < to else { throw SiteError.invalid("from is not before to", "swap them") }
        guard to.ms - from.ms <= lengthMsMax else {
            throw SiteError.invalid(
                "the time is longer than \(lengthMsMax / 86_400_000) days", "ask for a shorter one")
        }
    }
}
