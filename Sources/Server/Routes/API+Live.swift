internal import HTTPTypes
internal import NIOCore

extension API {
    /// Routes that give what the cameras send now.
    static func live(_ site: any LiveSite) -> [Route] {
        [
            Route(.get, "/v1/cameras/{camera}/live", .view) { reader in
                let query = try reader.query(["stream", "sound", "cut", "session"])
                let cut = try query.word("cut", LiveCut.frame)
                let handshake = try await WebSocketHandshake(reader)
                let parts = try await site.live(reader.live(query), cut: cut)
                try await reader.becomesViewer()
                return try await handshake.response { await LiveSocket.send(parts, over: $0) }
            }
        ]
    }
}

extension RequestReader {
    /// The live view that the request is about.
    func live(_ query: Query, sound: LiveRequest.Sound = .stored) throws -> LiveRequest {
        LiveRequest(
            camera: try path("camera"), stream: try query.word("stream", .main), sound: try query.word("sound", sound),
            session: query["session"], caller: caller)
    }

    /// Gives the connection a place among the viewers'. Throws `unavailable` where there is none.
    func becomesViewer() async throws {
        let channel = context.channel
        try await channel.eventLoop.submit {
            // Without the handler there is no connection: a test asks the routes themselves.
            let requests = try? channel.pipeline.syncOperations.handler(type: ConnectionRequests.self)
            try requests?.connection.becomesViewer()
        }.get()
    }
}
