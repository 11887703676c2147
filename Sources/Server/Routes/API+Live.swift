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
                let request = try reader.live(query)
                do {
                    let parts = try await site.live(request, cut: cut)
                    try await reader.becomesViewer()
                    return try await handshake.response { await LiveSocket.send(parts, over: $0) }
                } catch let refusal as SiteError where refusal.kind == .conflict || refusal.kind == .unavailable {
                    return try await handshake.response { await LiveSocket.refuse(refusal, over: $0) }
                }
            },
            Route(.get, "/v1/cameras/{camera}/live/{file}", .view) { reader in
                let name = try reader.path("file")
                guard let file = LiveFile(name) else {
                    throw SiteError(
                        .notFound, what: "the file \(name.prefix(80)) of live view", why: "there is none of this name",
                        remedy: "begin with main.m3u8")
                }
                let ofMain = ["stream", "sound", "session"]
                let ofOthers = ["player", "_HLS_msn", "_HLS_part"]
                let query = try reader.query(Set(ofMain + ofOthers))
                if let other = (file == .main ? ofOthers : ofMain).first(where: { query[$0] != nil }) {
                    throw SiteError.invalid(
                        "\(other) does not go with \(file.name)", "use the addresses in the lists as they are")
                }
                guard file == .main || query["player"] != nil else {
                    throw SiteError.invalid("player is missing", "begin with main.m3u8")
                }
                let bytes = try await site.liveFile(
                    file, reader.live(query), player: query["player"], from: query.awaited())
                return Reply.live(file, bytes)
            },
            Route(.get, "/v1/cameras/{camera}/live.mp4", .view) { reader in
                let query = try reader.query(["stream", "sound", "session"])
                let movie = try await site.liveMovie(reader.live(query))
                try await reader.becomesViewer()
                return Reply.movie(movie, over: reader.context.channel)
            },
            Route(.get, "/v1/cameras/{camera}/live.jpg", .view) { reader in
                let query = try reader.query(["stream", "width", "whole", "session"])
                return Reply.picture(try await site.livePicture(reader.live(query, sound: .none), query.picture()))
            },
            Route(.get, "/v1/cameras/{camera}/live.mjpg", .view) { reader in
                let query = try reader.query(["stream", "width", "whole", "fps", "session"])
                let pictures = try await site.livePictures(
                    reader.live(query, sound: .none), query.picture(), perSecond: query.perSecond("fps"))
                try await reader.becomesViewer()
                return Reply.pictures(pictures, over: reader.context.channel)
            },
            Route(.get, "/v1/cameras/{camera}/frames", .view) { reader in
                let query = try reader.query(["format", "fps", "width", "whole", "stream", "session"])
                var request = try reader.frames(query)
                guard FrameHandshake.isAsked(reader) else {
                    let frames = try await site.liveFrames(request)
                    try await reader.becomesViewer()
                    return Reply.frames(frames, over: reader.context.channel)
                }
                let handshake = try await FrameHandshake(reader)
                guard request.format == .yuv420p else {
                    throw SiteError.invalid(
                        "memory is shared for yuv420p alone", "leave Upgrade out: JPEG files are small")
                }
                request.isShared = true
                let frames = try await site.liveFrames(request)
                do { try await reader.becomesViewer() } catch {
                    frames.leave()
                    throw error
                }
                return try await handshake.response(frames)
            },
        ]
    }
}

extension RequestReader {
    /// The live view that the request is about.
    func live(_ query: Query, sound: LiveRequest.Sound = .stored) throws -> LiveRequest {
        var request = LiveRequest(
            camera: try path("camera"), stream: try query.word("stream", .main), sound: try query.word("sound", sound),
            session: query["session"], caller: caller)
        request.namesStream = query["stream"] != nil
        return request
    }

    /// The decoded frames that the request is about.
    func frames(_ query: Query) throws -> FramesRequest {
        var request = FramesRequest(try live(query, sound: .none))
        request.format = try query.word("format", request.format)
        request.width = try query.width("width") ?? request.width
        request.isWhole = try query.flag("whole")
        request.perSecond = try query.whole("fps", FrameHead.perSecond) ?? request.perSecond
        return request
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

extension Query {
    /// From when on a list is wanted; nil: as it is.
    fileprivate func awaited() throws(SiteError) -> LiveAwaited? {
        func number(_ name: String) throws(SiteError) -> Int? {
            guard let text = self[name] else { return nil }
            guard let number = Int(text), (0..<1_000_000_000).contains(number) else {
                throw .invalid("\(name) is \(text)", "give a number from the list before")
            }
            return number
        }
        let part = try number("_HLS_part")
        guard let segment = try number("_HLS_msn") else {
            guard part == nil else { throw .invalid("_HLS_part is without _HLS_msn", "give both") }
            return nil
        }
        return LiveAwaited(number: segment, part: part)
    }

    /// How many pictures a second are wanted.
    fileprivate func perSecond(_ name: String) throws(SiteError) -> Int {
        guard let text = self[name] else { return LiveSnapshot.perSecondStandard }
        let range = LiveSnapshot.perSecond
        guard let rate = Int(text), range.contains(rate) else {
            throw .invalid("\(name) is \(text)", "give \(range.lowerBound) to \(range.upperBound)")
        }
        return rate
    }
}
