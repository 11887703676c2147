internal import HTTPTypes
internal import Hummingbird

extension API {
    /// The route over which the daemon tells what happens.
    static func following(_ site: any FollowingSite) -> [Route] {
        [
            Route(.get, "/v1/journal", .view, about: .cameras) { reader in
                let query = try reader.query(["after", "camera", "priority"])
                let cameras = try query.names("camera")
                var following = Reply.Following(cameras: try reader.cameras(among: cameras))
                following.priorities = try query.priorities("priority")
                // What a browser says when it connects again goes before what the page has said at first.
                following.after = reader.request.headers[.lastEventID] ?? query["after"]
                let feed = try await site.journal(of: cameras)
                return Reply.journal(feed, following, holding: try await FollowerPlace.take(reader.context.channel))
            }
        ]
    }
}

extension HTTPField.Name {
    /// The id of the last event that a reader of Server-Sent Events has got. The name is a token, so there is one.
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
