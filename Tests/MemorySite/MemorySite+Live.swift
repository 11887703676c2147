public import Server
internal import Synchronization

extension MemorySite {
    /// What a viewer of the world is sent, before its end.
    public static let liveParts: [LivePart] = [
        .hello(
            LiveHello(
                camera: "front", stream: "main",
                tracks: [.init(kind: "video", codec: "avc1.64001f", timescale: 90_000, width: 640, height: 360)])),
        .header(track: 0, bytes: [1, 2, 3]),
        .fragment(track: 0, at: origin, bytes: Array(repeating: 7, count: 100_000)),
        .skipped(3), .lost,
    ]

    /// The parts of the world, and then the end that `endLive` gives.
    public func live(_ request: LiveRequest, cut: LiveCut) async throws -> any AsyncSequence<LivePart, Never> & Sendable
    {
        let (parts, send) = AsyncStream.makeStream(of: LivePart.self)
        try contents.withLock { world in
            guard world.cameras[request.camera] != nil else { throw Self.unknown(camera: request.camera) }
            if world.isEndless { world.viewers.append(send) }
        }
        for part in Self.liveParts { send.yield(part) }
        if !contents.withLock({ $0.isEndless }) {
            send.yield(.ended(.removed))
            send.finish()
        }
        return parts
    }

    /// The pieces of `liveMovie`.
    public func liveMovie(_ request: LiveRequest) async throws -> LiveMovieBytes {
        guard contents.withLock({ $0.cameras[request.camera] != nil }) else {
            throw Self.unknown(camera: request.camera)
        }
        let (pieces, send) = AsyncStream.makeStream(of: [UInt8].self)
        for piece in Self.liveMovie { send.yield(piece) }
        send.finish()
        return LiveMovieBytes(pieces) {}
    }

    /// The pieces of a movie of the world.
    public static let liveMovie: [[UInt8]] = [[1, 2, 3], Array(repeating: 7, count: 100_000)]

    /// From now on live view ends when `endLive` says so.
    public func becomeEndless() { contents.withLock { $0.isEndless = true } }

    /// Ends the viewers that there are.
    public func endLive(_ why: LiveEnd) {
        let viewers = contents.withLock { world in
            defer { world.viewers = [] }
            return world.viewers
        }
        for viewer in viewers {
            viewer.yield(.ended(why))
            viewer.finish()
        }
    }
}

extension MemorySite {
    /// Answers an offer with the offer itself; one that is empty is refused.
    public func livePeer(_ request: LiveRequest, offer: String, isLimited: Bool) async throws -> PeerAnswer {
        guard contents.withLock({ $0.cameras[request.camera] != nil }) else {
            throw Self.unknown(camera: request.camera)
        }
        guard !offer.isEmpty else {
            throw SiteError(.unprocessable, what: "the offer", why: "it is empty", remedy: "write one")
        }
        return PeerAnswer(
            answer: offer, session: request.session ?? "peer", sound: "PCMU", durationMs: isLimited ? 300_000 : nil)
    }

    /// Ends the session `peer`, or that of the small world; no other one is shown so.
    public func endPeer(session: String, by caller: Caller) async throws {
        guard ["peer", "1"].contains(session) else { throw SiteError.unknownSession(session) }
    }
}

extension MemorySite {
    /// How many endless viewers there are.
    public var liveViewers: Int { contents.withLock { $0.viewers.count } }

    /// Sends a part to each of them.
    public func sendLive(_ part: LivePart) { for viewer in contents.withLock({ $0.viewers }) { viewer.yield(part) } }
}

extension MemorySite {
    /// The picture of the world, with its width behind it.
    public func livePicture(_ request: LiveRequest, _ wish: PictureWish) async throws -> LiveSnapshot {
        LiveSnapshot(jpeg: try await snapshot(of: .camera(request.camera, at: nil), wish), at: Self.origin)
    }

    /// Three pictures, whose last bytes are their number a second.
    public func livePictures(
        _ request: LiveRequest, _ wish: PictureWish, perSecond: Int
    ) async throws -> LiveSnapshots {
        let picture = try await livePicture(request, PictureWish(width: perSecond, isWhole: wish.isWhole))
        let (pictures, send) = AsyncStream.makeStream(of: LiveSnapshot.self)
        for _ in 0..<3 { send.yield(picture) }
        send.finish()
        return LiveSnapshots(pictures) {}
    }
}

extension MemorySite {
    /// Three small frames, whose bytes are the number a second, a loss, and the end.
    public func liveFrames(_ request: FramesRequest) async throws -> LiveFrames {
        _ = try await state(camera: request.live.camera)
        let (parts, send) = AsyncStream.makeStream(of: FramesPart.self)
        var head = FrameHead(
            request.format == .jpeg ? .jpeg : .yuv420p, width: request.width, height: 2, count: request.width * 3,
            dial: 1, number: 0, arrived: Self.origin)
        for number in 1...3 {
            (head.number, head.mediaUs) = (UInt64(number), Int64(number) * 40_000)
            let pixels = Array(repeating: UInt8(clamping: request.perSecond), count: head.count)
            send.yield(FramesPart(head, pixels))
        }
        let word = FrameHead(.word, count: 0, dial: 1, number: 3, arrived: Self.origin)
        send.yield(FramesPart(word, FramesWord(lost: true)))
        let end = request.live.namesStream ? FramesWord(ended: "left") : FramesWord(ended: "budget", why: "no memory")
        send.yield(FramesPart(word, end))
        send.finish()
        return LiveFrames(parts, remind: {}, leave: {})
    }
}

extension MemorySite {
    /// The name of the file, and what it was waited for.
    public func liveFile(
        _ file: LiveFile, _ request: LiveRequest, player: String?, from awaited: LiveAwaited?
    ) async throws -> [UInt8] {
        guard contents.withLock({ $0.cameras[request.camera] != nil }) else {
            throw Self.unknown(camera: request.camera)
        }
        return Array("\(file.name) \(player ?? "-") \(awaited?.number ?? -1) \(awaited?.part ?? -1)".utf8)
    }
}
