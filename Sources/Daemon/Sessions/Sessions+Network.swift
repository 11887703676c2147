internal import Journal
internal import Machines
internal import Media
internal import Server

/// Which stream a viewer is sent whose network cannot carry the one that it wishes. The wish is the session's definition, and stays
/// as it is.
extension Sessions {
    /// How long the first picture of another stream may take where nothing else is said, in milliseconds.
    static let carryMs: Int64 = 10_000

    /// Shows another stream in a session that shows the live picture, as soon as a picture of it comes and where its tracks `fit`.
    /// False where that is not to be: it is shown already, no such picture comes, or the viewer has chosen a stream meanwhile.
    func carry(
        _ id: String, _ stream: StreamName, why: String, withinMs: Int64 = carryMs, fits: @Sendable (StreamDial) -> Bool
    ) async -> Bool {
        guard let viewer = viewers[id], let picture = viewer.picture, !picture.isChosen, picture.shown != stream,
            let camera = pool.camera(viewer.camera)
        else { return false }
        let (pictures, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let observer = StreamObserver(onPicture: { tell.yield() }, onEnd: { _ in tell.finish() })
        guard let held = try? picture.hold(stream, observer) else { return false }
        defer { held.leave() }
        let timer = queue.timer { tell.finish() }
        timer.set(afterMs: withinMs)
        guard await pictures.first(where: { true }) != nil, viewers[id]?.picture === picture,
            let dial = camera.shell.streams.stream(stream).dial, fits(dial), picture.carry(stream)
        else { return false }
        timer.set(afterMs: nil)
        tellCarried(viewer, to: stream, why: why)
        return true
    }

    /// Tells that another stream is shown than before.
    func tellCarried(_ viewer: Viewer, to stream: StreamName, why: String) {
        send(.sessionCarried, [(.to, stream.rawValue), (.why, why), (.user, viewer.by)], viewer, at: host.clock.now())
        publish(viewer)
    }
}
