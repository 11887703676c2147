internal import HTTPTypes
internal import Machines

extension API {
    /// Routes that play what was recorded.
    static func playback(_ site: any PlaybackSite) -> [Route] {
        [track(site)] + PlaylistForm.allCases.map { playlist($0, site) } + [movie(site)] + pictures(site)
    }

    private static func pictures(_ site: any PlaybackSite) -> [Route] {
        [
            Route(.get, "/v1/cameras/{camera}/days", .view) { reader in
                let month = try reader.query(["month"]).month("month")
                return try Reply.json(await site.days(camera: reader.path("camera"), month: month))
            },
            Route(.get, "/v1/cameras/{camera}/picture", .view) { reader in
                let query = try reader.query(["at", "width", "whole", "session"])
                guard let moment = try query.time("at") else {
                    throw SiteError.invalid("at is missing", "give the moment as an RFC 3339 time")
                }
                let (jpeg, at) = try await site.picture(
                    camera: reader.path("camera"), at: moment, query.picture(), session: query.session(),
                    by: reader.caller)
                return Reply.picture(jpeg, at: at)
            },
            Route(.get, "/v1/cameras/{camera}/thumbnails", .view) { reader in
                Reply.picture(try await thumbnails(site, reader).jpeg)
            },
            Route(.get, "/v1/cameras/{camera}/thumbnails.json", .view) { reader in
                try Reply.json(await thumbnails(site, reader).map)
            },
        ]
    }

    private static func thumbnails(_ site: any PlaybackSite, _ reader: RequestReader) async throws -> ThumbnailStrip {
        let query = try reader.query(["hour", "session"])
        guard let hour = try query.time("hour") else {
            throw SiteError.invalid("hour is missing", "give a moment of it as an RFC 3339 time")
        }
        return try await site.thumbnails(
            camera: reader.path("camera"), hour: hour, session: query.session(), by: reader.caller)
    }

    private static func track(_ site: any PlaybackSite) -> Route {
        Route(.get, "/v1/clips/{clip}/tracks/{kind}", .view) { reader in
            let query = try reader.query(["shift", "session"])
            let name = try reader.path("kind")
            guard let kind = TrackKind(rawValue: name.hasSuffix(".mp4") ? String(name.dropLast(4)) : name) else {
                throw SiteError.invalid("\(name) is no kind of track", "give video or audio")
            }
            let media = try await site.track(
                clip: reader.id("clip"), kind: kind, shift: query.shift(), session: query.session(), by: reader.caller)
            return Reply.served(media, reader.request, over: reader.context.channel)
        }
    }

    private static func playlist(_ form: PlaylistForm, _ site: any PlaybackSite) -> Route {
        Route(.get, "/v1/cameras/{camera}/\(form.rawValue)", .view) { reader in
            let request = try reader.query(Query.playing).playing(reader.path("camera"))
            return Reply.playlist(try await site.playlist(request, form, by: reader.caller), type: form.type)
        }
    }

    private static func movie(_ site: any PlaybackSite) -> Route {
        Route(.get, "/v1/cameras/{camera}/play.mp4", .view) { reader in
            let request = try reader.query(Query.playing).playing(reader.path("camera"))
            let media = try await site.movie(request, by: reader.caller)
            return Reply.served(media, reader.request, over: reader.context.channel)
        }
    }
}
