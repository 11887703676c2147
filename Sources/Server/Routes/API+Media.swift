internal import HTTPTypes

extension API {
    /// Routes that give media.
    static func media(_ site: any MediaSite) -> [Route] {
        [
            Route(.get, "/v1/events/{event}/snapshot", .view) { reader in
                let query = try reader.query(["width", "whole"])
                let event = SnapshotSubject.event(try reader.id("event"))
                return Reply.picture(try await site.snapshot(of: event, query.picture()))
            },
            Route(.get, "/v1/cameras/{camera}/snapshot", .view) { reader in
                let query = try reader.query(["at", "width", "whole"])
                let subject = SnapshotSubject.camera(try reader.path("camera"), at: try query.time("at"))
                return Reply.picture(try await site.snapshot(of: subject, query.picture()))
            },
            Route(.get, "/v1/cameras/{camera}/export/plan", .view) { reader in
                let (from, to) = try reader.interval()
                return try Reply.json(await site.exportPlan(camera: reader.path("camera"), from: from, to: to))
            },
            Route(.get, "/v1/cameras/{camera}/export", .view) { reader in
                let (from, to) = try reader.interval()
                let export = try await site.export(
                    camera: reader.path("camera"), from: from, to: to, by: reader.caller)
                return Reply.media(export, over: reader.context.channel, takesTrailers: reader.takesTrailers)
            },
        ]
    }
}
