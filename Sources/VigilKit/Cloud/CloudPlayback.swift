internal import Machines
public import Wire

/// What a camera has in the cloud, played by a session from an event, a clip or a moment to the end of that day, over holes. A clip
/// that the disk has too is read there.
///
/// It is silent at the start. Its verbs are those of ``CameraSession`` and throw what these throw; the session itself may be asked
/// for more, such as ``CameraSession/speed(_:)``.
public actor CloudPlayback {
    /// What of a recording was shown while somebody kept it.
    public struct Kept: Hashable, Sendable {
        /// The moment that was shown when it began.
        public let from: WallTime
        /// The moment that was shown when it ended, or when something else was shown.
        public let to: WallTime
        /// The clips that were left out because they cannot be read, with the reasons; nil: none.
        public let skipped: String?
    }

    /// The session that plays.
    public nonisolated let session: CameraSession
    /// Whether sound is left out of ``frames``.
    public private(set) var isMuted = true
    /// What is being kept: from the first moment, to the last one where it is over.
    private var kept: (from: WallTime, to: WallTime?)?
    /// The last picture that was handed over since the start.
    private var shown: WallTime?

    /// Plays in a session that is connected.
    public init(_ session: CameraSession) { self.session = session }

    /// Plays from an event's begin. `day` is the one that it was listed for.
    @discardableResult
    public func start(_ event: CloudEvent, of day: CloudDay) async throws -> SessionInfo {
        try await start(at: event.start, of: day)
    }

    /// Plays from a clip's begin in `day`, the one that it was listed for.
    @discardableResult
    public func start(_ slice: CloudSlice, of day: CloudDay) async throws -> SessionInfo {
        try await start(at: slice.start, of: day)
    }

    /// Plays from a moment of a day, or from where the first clip behind it begins. No stop is needed before; so this is how one
    /// seeks, too. Throws ``VigilError/refused(_:)`` of kind `notFound` where nothing of the day lies at the moment or behind it.
    @discardableResult
    public func start(at moment: WallTime, of day: CloudDay) async throws -> SessionInfo {
        guard let date = CalendarDay(day.day) else {
            throw VigilError.strangeAnswer(address: session.vigil.transport.address, reason: "a day that is none")
        }
        await endKept()
        // Lists have other clips than before where one has gone from the disk meanwhile; moments stay.
        let moment = max(moment, day.from)
        let clip = try await session.clips(of: date).filter { $0.end.map { $0 > moment } ?? true }
            .min { $0.start < $1.start }
        guard let clip else {
            throw VigilError.refused(
                SiteError(
                    .notFound, what: "the recording of camera \(session.camera) was not played",
                    why: "nothing is recorded at this moment, or behind it on this day",
                    remedy: "list the day's clips anew", step: Session.Step.startPlayback.rawValue))
        }
        shown = nil
        return try await session.startPlayback(
            day: date, clip: clip.id, at: max(moment, clip.start), overHoles: true)
    }

    /// Holds it.
    @discardableResult
    public func pause() async throws -> SessionInfo { try await session.pause() }

    /// Lets it go on.
    @discardableResult
    public func resume() async throws -> SessionInfo { try await session.resume() }

    /// Nothing is shown any more; ``frames`` are over. At the end of the day that is so already.
    @discardableResult
    public func stop() async throws -> SessionInfo {
        await endKept()
        do {
            return try await session.stopPlayback()
        } catch let error as VigilError where error.reason == Session.Refusal.notPlaying.rawValue {
            return try await session.info()
        }
    }

    /// The moment that is shown; nil where nothing is.
    public func position() async throws -> WallTime? { try await session.info().position }

    /// Whether sound is left out of ``frames``, from the next frame on.
    public func mute(_ on: Bool) { isMuted = on }

    /// The very frame that is shown, at most `width` pixels wide (16…3840); nil where nothing is shown.
    public func snapshot(width: Int? = nil) async throws -> Picture? {
        guard let moment = try await position() else { return nil }
        return try await session.vigil.picture(camera: session.camera, at: moment, width: width)
    }

    /// Keeps what is shown from now on; gives the moment, nil where nothing is shown. What was kept before and not fetched is
    /// forgotten.
    @discardableResult
    public func startKeeping() async throws -> WallTime? {
        kept = nil
        guard let moment = try await position() else { return nil }
        kept = (moment, nil)
        return moment
    }

    /// Hands what was shown since ``startKeeping()`` to `sink` as one MP4 with holes closed up; gives from when to when, nil where
    /// nothing was kept. Another start or a stop ends what is kept, and it may be fetched afterwards.
    public func stopKeeping(sink: @Sendable ([UInt8]) async throws -> Void) async throws -> Kept? {
        await endKept()
        guard let (from, to) = kept, let to, to > from else { return nil }
        let skipped = try await session.vigil.movie(camera: session.camera, from: from, to: to, sink: sink)
        kept = nil
        return Kept(from: from, to: to, skipped: skipped)
    }

    /// Notes where what is kept ends.
    private func endKept() async {
        guard case (let from, nil)? = kept else { return }
        // Where nothing is shown any more, behind the last frame that was.
        let position = try? await session.info().position
        let to = position ?? shown.map { WallTime(ms: $0.ms &+ 1) }
        kept = to.map { (from, max(from, $0)) }
    }

    /// Takes note of a frame that is shown now; gives whether it is to be handed over.
    func show(_ frame: Frame) -> Bool {
        if frame.format.codec.isVideo { shown = max(frame.time, shown ?? frame.time) }
        return frame.format.codec.isVideo || !isMuted
    }

    /// What is shown, frame by frame, each when it is due by the session's speed: what ``CameraSession/frames`` says of
    /// recordings holds. Behind a hole ``Frame/isDiscontinuous`` is set. They are over at the end of the day and when it is
    /// stopped; take them anew for another start. Sound is among them while it is not muted.
    public nonisolated var frames: CloudFrames { CloudFrames(playback: self) }
}

/// What a ``CloudPlayback`` shows, frame by frame.
public struct CloudFrames: AsyncSequence, Sendable {
    /// The iterator. Use one.
    public struct Iterator: AsyncIteratorProtocol {
        private let playback: CloudPlayback
        private var frames: Frames.Iterator

        init(_ playback: CloudPlayback) {
            self.playback = playback
            frames = Frames.Iterator(playback.session, isOfPlayback: true)
        }

        /// The next frame; nil when it was stopped and at the end of the day. Throws ``VigilError``; where it is
        /// ``VigilError/refused(_:)``, such as for a store that gives nothing, another start goes on.
        public mutating func next() async throws -> Frame? {
            while let frame = try await frames.next() {
                if await playback.show(frame) { return frame }
            }
            return nil
        }
    }

    let playback: CloudPlayback

    /// Begins with what is shown now.
    public func makeAsyncIterator() -> Iterator { Iterator(playback) }
}

extension Vigil {
    /// Runs `body` with a session of a camera that plays what the cloud has, and closes it afterwards.
    public func withCloudPlayback<Value: Sendable>(
        camera: String, _ body: (CloudPlayback) async throws -> Value
    ) async throws -> Value {
        try await withSession(camera: camera) { try await body(CloudPlayback($0)) }
    }
}
