internal import Journal
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    func livePicture(_ request: LiveRequest, _ wish: PictureWish) async throws -> LiveSnapshot {
        let viewer = try await watchOnce(request)
        let frame = try await newestStart(of: viewer, request)
        let options = SnapshotOptions(
            widthMax: wish.width ?? LiveSnapshot.widthStandard, heightMax: 2_160, quantizer: 5,
            viewport: pool.viewport(of: request.camera, isWhole: wish.isWhole))
        do {
            let jpeg = try await pictures.run { try Snapshot(frames: [frame], at: frame.pts, options: options).jpeg }
            return LiveSnapshot(jpeg: jpeg, at: WallTime(ms: clock.wall(frame.arrival)))
        } catch let error as SnapshotError {
            throw SiteError(
                .failed, what: "a picture of camera \(request.camera)", why: "\(error)",
                remedy: "look at the camera with a player")
        }
    }

    /// A picture of what a camera sends, as JPEG, for whoever is no viewer: nothing is dialled and nothing waited for. Nil where no key
    /// frame has come, and while live or hard privacy covers the camera. It may be shown as long as `isShown` says so: no more once
    /// privacy has come.
    func still(of camera: String, width: Int) async throws -> (jpeg: [UInt8], isShown: @Sendable () -> Bool)? {
        guard let stream = pool.camera(camera)?.shell.streams.main, let since = stream.shownSince,
            let frame = stream.newestStart
        else { return nil }
        let options = SnapshotOptions(
            widthMax: width, heightMax: 2_160, quantizer: 5, viewport: pool.viewport(of: camera, isWhole: false))
        let jpeg = try await pictures.run { try Snapshot(frames: [frame], at: frame.pts, options: options).jpeg }
        let isShown: @Sendable () -> Bool = { stream.shownSince == since }
        guard isShown() else { return nil }
        return (jpeg, isShown)
    }

    func livePictures(_ request: LiveRequest, _ wish: PictureWish, perSecond: Int) async throws -> LiveSnapshots {
        let place = try frameReaders.pictures.take(for: request.caller)
        let viewer = try await watch(request)
        var wanted = FramesRequest(
            request, format: .jpeg, width: wish.width ?? LiveSnapshot.widthStandard, perSecond: perSecond)
        wanted.isWhole = wish.isWhole
        let pictures = frames(of: viewer, wanted, place).compactMap { part in
            part.head.content == .jpeg ? LiveSnapshot(jpeg: part.content, at: part.head.arrived) : nil
        }
        return LiveSnapshots(pictures) { viewer.leave() }
    }

    func liveFrames(_ request: FramesRequest) async throws -> LiveFrames {
        var live = request.live
        if !live.namesStream {
            live.stream = try known(live.camera).shell.streams.substream.isConfigured ? .sub : .main
        }
        let place = try frameReaders.places.take(for: live.caller)
        let viewer = try await watch(live)
        let made = frames(of: viewer, request, place)
        let slots = made.slots
        return LiveFrames(
            made, remind: { viewer.remind() },
            leave: {
                viewer.leave()
                slots?.end()
            },
            giveBack: { slots?.giveBack($0) ?? false })
    }

    /// The frames of a viewer: of the part that is shown of the camera at each of them, or whole.
    private func frames(of viewer: StreamViewer, _ request: FramesRequest, _ place: Places.Place) -> FrameSequence {
        let camera = request.live.camera
        return FrameSequence(viewer, frameReaders, place, request, clock: clock) { [pool] in
            pool.viewport(of: camera, isWhole: request.isWhole)
        }
    }

    /// The frame at which the cached group begins, or the next key frame.
    private func newestStart(of viewer: StreamViewer, _ request: LiveRequest) async throws -> Frame {
        let bound = Task {
            try await Task.sleep(for: .milliseconds(LiveSnapshot.waitMsMax))
            viewer.leave()
        }
        defer {
            bound.cancel()
            viewer.leave()
        }
        for await item in viewer {
            switch item {
            case .frame(let frame) where frame.kind == .video && frame.opensClip: return frame
            case .ended(let why) where why != .left: throw SiteError.hidden(why, request.camera)
            case .began, .frame, .lost, .skipped, .ended: break
            }
        }
        throw SiteError(
            .unavailable, what: "a picture of camera \(request.camera)",
            why: "the camera has sent none within \(LiveSnapshot.waitMsMax / 1_000) s",
            remedy: "`vigil state \(request.camera)` tells how its link is; ask again later")
    }
}

extension SiteError {
    /// A camera that is not shown any more.
    fileprivate static func hidden(_ why: StreamEnd, _ camera: String) -> SiteError {
        let what = "a picture of camera \(camera)"
        if why == .privacy {
            return SiteError(
                .conflict, what: what, why: "live or hard privacy covers the camera",
                remedy: "switch it off to look (`vigil privacy`)")
        }
        return SiteError(
            .unavailable, what: what, why: "its stream ended (\(why.rawValue))", remedy: "try again in a moment")
    }
}
