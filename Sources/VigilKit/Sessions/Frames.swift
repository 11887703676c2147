internal import Machines
internal import Wire

/// What a session shows, frame by frame, as the camera has coded it: the live picture as it comes, a recording when each frame
/// is due by the session's speed. Sound is among the frames while the session's sound is on (``CameraSession/mute(_:)``).
///
/// It goes on over everything that is asked of the session: where something else is shown, the next frame is of that, and
/// ``Frame/isDiscontinuous``. It waits while nothing is shown, a recording is held, or the camera is away, and is over when the
/// session has been closed. Throws ``VigilError/sessionEnded(_:)`` when the recorder has ended the session, and what else of
/// ``VigilError`` fits when it cannot be reached, or refuses again and again what the session should show.
///
/// Live frames come one by one, each as soon as the recorder has the next one of its track, which tells how long it lasts.
///
/// A recording begins with the key frame before the moment that was asked for; frames before that moment are for the decoder, and
/// come at once. No frame of a recording comes twice, unless it is played twice.
public struct Frames: AsyncSequence, Sendable {
    /// How often in a row the daemon may refuse what the session should show.
    static let refusalsMax = 10
    /// How long it is waited between two questions for what is not there yet.
    static let pause = Duration.milliseconds(500)
    /// How much of a recording is asked for at once, in milliseconds.
    static let spanMs: Int64 = 3_600_000
    /// A hole at which playback ends is longer, in milliseconds.
    static let holeMs: Int64 = 1_000

    /// The iterator. Two iterators of one session take the live picture from each other; use one.
    public struct Iterator: AsyncIteratorProtocol {
        private let session: CameraSession
        private var count: Int?
        private var reader: FrameReader?
        private var live: LiveFrames?
        private var frames: ArraySlice<Frame> = []
        private var isRecording = false
        private var refusals = 0
        /// Where the recording has been read to.
        private var readTo: Int64?
        /// The moment that the recorder said last that it shows: behind a hole it is far from what was read.
        private var position: Int64?
        /// The moment of the last frame of it that was given.
        private var lastGiven: Int64?
        /// Frames up to there were given before it was read anew, and are not given again.
        private var givenTo: Int64?
        /// Why the recording could not be had when it was last tried.
        private var unread: SiteError?
        /// The clip of which nothing could be had.
        private var unreadClip: Int64?
        /// What lies behind a hole, in a clip that may play on there.
        private var behindHole: [Frame] = []
        /// Whether it is over when nothing is shown any more.
        private let isOfPlayback: Bool

        init(_ session: CameraSession, isOfPlayback: Bool = false) {
            (self.session, self.isOfPlayback) = (session, isOfPlayback)
        }

        /// The next frame; nil when the session has ended.
        public mutating func next() async throws -> Frame? {
            while true {
                try Task.checkCancellation()
                while let frame = frames.popFirst() {
                    guard let count else { break }
                    if isRecording {
                        guard try await session.isDue(frame.time.ms, of: count) else { break }
                        if !frame.format.codec.isVideo, !isOfPlayback, await !session.last.sound { continue }
                    } else if await session.shown.count != count {
                        break
                    }
                    return frame
                }
                guard try await fill() else { return nil }
            }
        }

        /// Reads on; false when the session has ended.
        private mutating func fill() async throws -> Bool {
            let shown = await session.shown
            if shown.count != count {
                (count, reader, live, refusals) = (shown.count, nil, nil, 0)
                (readTo, position, lastGiven, givenTo, behindHole) = (nil, nil, nil, nil, [])
                (unread, unreadClip) = (nil, nil)
            }
            frames = []
            switch shown.what {
            case .ended:
                if let why = await session.last.ended, why != .closed { throw VigilError.sessionEnded(why) }
                return false
            case .nothing:
                if isOfPlayback, isRecording { return false }
                await session.change(since: shown.count, atMost: nil)
                return true
            case .live: isRecording = false
            case .recording(let from):
                isRecording = true
                readTo = readTo ?? from
            }
            do {
                if isRecording { try await read() } else { try await readLive() }
                refusals = 0
            } catch VigilError.refused(let error) {
                try await look(after: error)
            }
            return true
        }

        private mutating func read() async throws {
            guard let before = readTo else { return }
            if let first = behindHole.first { return try await wait(behindHole: first) }
            if reader == nil { reader = begin(from: before) }
            guard let read = try await reader?.next() else {
                // It may go on behind what was asked for.
                reader = nil
                return try await look(after: nil)
            }
            if read.isEmpty { return try await look(after: nil) }
            let new = read.filter { frame in givenTo.map { frame.time.ms > $0 } ?? true }
            let hole = new.firstIndex { $0.isDiscontinuous && $0.time.ms > before &+ Frames.holeMs } ?? new.endIndex
            behindHole = Array(new[hole...])
            give(new[..<hole])
        }

        private mutating func give(_ new: ArraySlice<Frame>) {
            frames = new
            guard let last = new.map(\.time.ms).max() else { return }
            readTo = Swift.max(readTo ?? last, last)
            lastGiven = Swift.max(lastGiven ?? last, last)
        }

        /// Behind a hole between clips the session goes on where its start asked for that, and else has finished. A clip that the
        /// camera paused in plays on: there the moment comes.
        private mutating func wait(behindHole first: Frame) async throws {
            guard let count else { return }
            switch await session.wait(for: first.time.ms, of: count) {
            case nil: await session.change(since: count, atMost: nil)
            case .some(let left) where left > .zero: try await look(after: nil)
            default:
                // The daemon says whether it comes, or the session has finished before it.
                let info = try await session.info()
                guard await session.shown.count == count else { return }
                guard let position = info.position, position >= first.time else {
                    return await session.change(since: count, atMost: Frames.pause)
                }
                give(behindHole[...])
                behindHole = []
            }
        }

        private mutating func begin(from: Int64) -> FrameReader {
            givenTo = lastGiven
            return FrameReader(
                session.vigil, camera: session.camera,
                query: [
                    ("from", WallTime(ms: from).rfc3339),
                    ("to", WallTime(ms: Swift.max(from, position ?? from) + Frames.spanMs).rfc3339),
                    ("session", session.id),
                ])
        }

        private mutating func readLive() async throws {
            if live == nil { live = try await LiveFrames(session) }
            do {
                if let read = try await live?.next() { return frames = read[...] }
            } catch VigilError.timeout {
                // Nothing came for long: the camera may be away. Whether the recorder is, the next question tells.
            }
            let hadSome = live?.hasBegun == true
            live = nil
            // A movie is over where the camera was lost or codes otherwise, or the session shows something else. Where it had
            // begun there may be another one at once.
            try await look(after: nil, waits: !hadSome)
        }

        /// Asks how the session stands, where nothing comes or the daemon refuses, and waits a little where nothing has changed.
        private mutating func look(after refusal: SiteError?, waits: Bool = true) async throws {
            if let refusal {
                refusals += 1
                // What a view was, is over: the next one begins anew.
                if refusal.kind != .unavailable { (reader, live) = (nil, nil) } else { unread = refusal }
                if refusals > Frames.refusalsMax { throw VigilError.refused(refusal) }
            }
            let info = try await session.info()
            if isRecording, await session.shown.count == count { position = info.position?.ms }
            // A clip of which nothing came is not passed over without a word.
            if isOfPlayback, isRecording, let unread, lastGiven == nil {
                unreadClip = unreadClip ?? info.clip
                if info.phase == "idle" || info.clip != unreadClip { throw VigilError.refused(unread) }
            }
            guard waits, info.phase != "ended", await session.shown.count == count else { return }
            await session.change(since: count, atMost: Frames.pause)
        }
    }

    private let session: CameraSession

    init(_ session: CameraSession) { self.session = session }

    /// Begins with what is shown now.
    public func makeAsyncIterator() -> Iterator { Iterator(session) }
}

extension CameraSession {
    /// What the session shows, frame by frame.
    public nonisolated var frames: Frames { Frames(self) }
}
