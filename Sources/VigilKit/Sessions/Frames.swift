internal import Machines
internal import Wire

/// What a session shows, frame by frame, as the camera has coded it: the live picture as it comes, a recording when each frame
/// is due by the session's speed. Sound is among the frames while the session's sound is on, and of recordings always.
///
/// It goes on over everything that is asked of the session: where something else is shown, the next frame is of that, and
/// ``Frame/isDiscontinuous``. It waits while nothing is shown, or a recording is held, and is over when the session has ended.
/// Throws ``VigilError`` when the daemon cannot be reached, or refuses again and again what the session should show.
///
/// A recording begins with the key frame before the moment that was asked for; frames before that moment are for the decoder, and
/// come at once.
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
        private var frames: ArraySlice<Frame> = []
        private var isRecording = false
        private var refusals = 0
        /// Where the recording has been read to.
        private var readTo: Int64?

        init(_ session: CameraSession) { self.session = session }

        /// The next frame; nil when the session has ended.
        public mutating func next() async throws -> Frame? {
            while true {
                try Task.checkCancellation()
                while let frame = frames.popFirst() {
                    guard let count else { break }
                    if isRecording {
                        guard try await session.isDue(frame.time.ms, of: count) else { break }
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
            if shown.count != count { (count, reader, readTo, refusals) = (shown.count, nil, nil, 0) }
            frames = []
            switch shown.what {
            case .ended: return false
            case .nothing:
                await session.change(since: shown.count, atMost: nil)
                return true
            case .live: isRecording = false
            case .recording(let from):
                isRecording = true
                readTo = readTo ?? from
            }
            do {
                try await read()
                refusals = 0
            } catch VigilError.refused(let error) {
                try await look(after: error)
            }
            return true
        }

        private mutating func read() async throws {
            if reader == nil { reader = try await begin() }
            let hears = isRecording ? true : await session.last.sound
            guard let read = try await reader?.next(withSound: hears) else {
                // A recording may go on behind what was asked for; a list of live view has no end.
                reader = nil
                return try await look(after: nil)
            }
            if read.isEmpty { return try await look(after: nil) }
            guard isRecording, let before = readTo else { return frames = read[...] }
            // At a hole the session finishes; what lies behind it is another start.
            let hole = read.first { $0.isDiscontinuous && $0.time.ms > before + Frames.holeMs }
            frames = hole.map { hole in read.prefix { $0.time < hole.time } } ?? read[...]
            readTo = Swift.max(before, frames.map(\.time.ms).max() ?? before)
        }

        private func begin() async throws -> FrameReader {
            guard let from = readTo, isRecording else {
                return try await .live(session.vigil, camera: session.camera, query: [("session", session.id)])
            }
            return try await .recorded(
                session.vigil, camera: session.camera,
                query: [
                    ("from", WallTime(ms: from).rfc3339), ("to", WallTime(ms: from + Frames.spanMs).rfc3339),
                    ("session", session.id),
                ])
        }

        /// Asks how the session stands, where nothing comes or the daemon refuses.
        private mutating func look(after refusal: SiteError?) async throws {
            if let refusal {
                refusals += 1
                // What a view was, is over: the next one begins anew.
                if refusal.kind != .unavailable { reader = nil }
                if refusals > Frames.refusalsMax { throw VigilError.refused(refusal) }
            }
            let info = try await session.info()
            guard info.phase != "ended", await session.shown.count == count else { return }
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
