internal import Foundation
internal import HTTPTypes
public import Machines
public import Wire

/// One viewer of one camera, who sees either the live picture or recordings.
///
/// Each verb is one request and answers when it is done, at the latest after ten seconds, with the session that follows. A verb
/// that cannot be throws ``VigilError/refused(_:)`` with its `step` and `reason`, and has changed nothing but for a start, which
/// leaves nothing behind. What is shown comes by ``frames``, what happens to the session by ``reports``.
///
/// A session that shows nothing, the live picture, or a recording that is held, ends by itself after `viewers.duration` (five
/// minutes unless the site says otherwise); ``extend()`` gives it its whole time again. End it with ``close()``.
public actor CameraSession {
    /// What is shown.
    enum Shown: Hashable, Sendable {
        case nothing
        case live
        /// A recording, from a moment on.
        case recording(from: Int64)
        case ended
    }

    /// By how much the recorder is ahead of the frames only where it has gone over a hole.
    private static let jump = Duration.milliseconds(500)

    /// The session's id.
    public nonisolated let id: String
    /// The camera's name.
    public nonisolated let camera: String
    /// The daemon.
    public nonisolated let vigil: Vigil
    /// The session as the daemon has told it last.
    public private(set) var last: SessionInfo
    /// What is shown, and how often that has changed.
    private(set) var shown: (what: Shown, count: Int) = (.nothing, 0)
    private var pace: SessionPace?
    private var changes: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastChange = 0

    init(_ vigil: Vigil, _ info: SessionInfo) {
        (self.vigil, id, camera, last) = (vigil, info.session, info.camera, info)
    }

    // MARK: Verbs

    /// Connects to the camera's streams and clips; everything else but ``extend()`` needs it.
    @discardableResult
    public func connect() async throws -> SessionInfo { try await ask(.connect) }

    /// Shows the live picture: the main stream (`hd`) or the sub-stream (`sd`). Answers when the first picture is there.
    @discardableResult
    public func startPreview(_ definition: Session.Definition = .hd) async throws -> SessionInfo {
        let info = try await ask(.startPreview(definition))
        show(.live)
        return info
    }

    /// Shows a clip of a day whose clips were listed by ``clips(of:)``, from `moment` on, or from the clip's begin in that day.
    /// Clips that follow without a hole are played on. No stop is needed before; so this is how one seeks, too. It is silent
    /// until ``mute(_:)``, also where it replaces a recording that is heard.
    ///
    /// With `overHoles` the recorder goes on behind each hole, at the speed that it had, to the end of the day. `finished` of
    /// ``info()`` says `end` then.
    @discardableResult
    public func startPlayback(
        day: CalendarDay, clip: Int64, at moment: WallTime? = nil, overHoles: Bool = false
    ) async throws -> SessionInfo {
        let info = try await ask(.startPlayback(day, clip: clip, at: moment, overHoles: overHoles))
        let from = info.position?.ms ?? moment?.ms ?? 0
        pace = SessionPace(positionMs: from, speed: 1)
        show(.recording(from: from))
        return info
    }

    /// Holds the recording.
    @discardableResult
    public func pause() async throws -> SessionInfo {
        let info = try await ask(.pause)
        pace = pace?.changed(to: 0)
        tellChange()
        return info
    }

    /// Lets it go on.
    @discardableResult
    public func resume() async throws -> SessionInfo {
        let info = try await ask(.resume)
        pace = pace?.changed(to: info.speed ?? 1)
        tellChange()
        return info
    }

    /// Plays faster or slower: 0.25, 0.5, 1, 2, 4, 8 or 16.
    @discardableResult
    public func speed(_ speed: Double) async throws -> SessionInfo {
        let hundredths = (0...1_000).contains(speed) ? Int(exactly: speed * 100) ?? 0 : 0
        let info = try await ask(.speed(hundredths: hundredths))
        if info.phase == "playing" { pace = pace?.changed(to: info.speed ?? speed) }
        tellChange()
        return info
    }

    /// Another definition of the live picture. Answers when its first picture is there; ``frames`` goes on with it.
    @discardableResult
    public func definition(_ definition: Session.Definition) async throws -> SessionInfo {
        try await ask(.definition(definition))
    }

    /// The sound of what is shown, which is off at each start: true mutes it.
    @discardableResult
    public func mute(_ on: Bool) async throws -> SessionInfo { try await ask(.mute(on)) }

    /// Talk-back, in a session whose picture is taken by WebRTC: see ``Vigil/talk(session:_:)``. Refused as `unsupported` in any other.
    @discardableResult
    public func talk(_ on: Bool) async throws -> SessionInfo { try await ask(.talk(on)) }

    /// Records what the camera sends for as long as it is on, and protects the clips that hold it.
    @discardableResult
    public func record(_ on: Bool) async throws -> SessionInfo { try await ask(.record(on)) }

    /// The days with recordings, in the site's time zone.
    public func days() async throws -> [CalendarDay] { try await ask(.days).days ?? [] }

    /// The clips that reach into a day; these may be played then.
    public func clips(of day: CalendarDay) async throws -> [ClipInfo] { try await ask(.clips(day)).clips ?? [] }

    /// Lets the session last its whole time again, from now.
    @discardableResult
    public func extend() async throws -> SessionInfo { try await ask(.extend) }

    /// No live picture any more.
    @discardableResult
    public func stopPreview() async throws -> SessionInfo {
        let info = try await ask(.stopPreview)
        show(.nothing)
        return info
    }

    /// No recording any more.
    @discardableResult
    public func stopPlayback() async throws -> SessionInfo {
        let info = try await ask(.stopPlayback)
        show(.nothing)
        return info
    }

    /// Ends the session, and gives back all it holds.
    @discardableResult
    public func close() async throws -> SessionInfo {
        last = try await vigil.ask(.delete, "/v1/sessions/\(Percent.encode(id))").answer
        show(.ended)
        return last
    }

    /// The session as it stands: phase, position, speed, when it ends.
    @discardableResult
    public func info() async throws -> SessionInfo {
        last = try await vigil.sessionInfo(id)
        take(last)
        return last
    }

    private func ask(_ verb: SessionVerb) async throws -> SessionInfo {
        do {
            last = try await vigil.ask(.post, "/v1/sessions/\(Percent.encode(id))/\(verb.name)", body: verb.body).answer
            return last
        } catch {
            // A start that fails leaves nothing behind, so what is shown may be another thing than before.
            _ = try? await info()
            throw error
        }
    }

    // MARK: What is shown

    private func show(_ what: Shown) {
        shown = (what, shown.count + 1)
        if case .recording = what {} else { pace = nil }
        tellChange()
    }

    /// Notes what the daemon has changed by itself: the end of a clip, of the session's time, privacy.
    private func take(_ info: SessionInfo) {
        switch (info.phase, shown.what) {
        case ("ended", .ended), ("previewing", .live), ("startingPreview", _), ("startingPlayback", _): break
        case ("ended", _): show(.ended)
        case ("previewing", _): show(.live)
        case ("playing", .recording): follow(info)
        case ("paused", .recording), ("idle", .nothing): break
        case ("playing", _), ("paused", _):
            let from = info.position?.ms ?? 0
            show(.recording(from: from))
            pace = SessionPace(positionMs: from, speed: info.phase == "paused" ? 0 : info.speed ?? 1)
        default: show(.nothing)
        }
    }

    /// Waits until something else is shown than `count` says, the pace is another, or some time is over.
    func change(since count: Int?, atMost bound: Duration?) async {
        if let count, count != shown.count { return }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastChange += 1
        let number = lastChange
        changes[number] = continuation
        let alarm = bound.map { bound in
            Task {
                try await Task.sleep(for: bound)
                continuation.yield()
            }
        }
        for await _ in stream { break }
        alarm?.cancel()
        changes[number] = nil
    }

    /// The recorder has gone on behind a hole by itself: what lies there is due from now on.
    private func follow(_ info: SessionInfo) {
        guard info.overHoles == true, let position = info.position?.ms, let left = pace?.wait(for: position),
            left > Self.jump
        else { return }
        pace = SessionPace(positionMs: position, speed: info.speed ?? 1)
        tellChange()
    }

    /// How long until a moment of the recording is due: nil where it is held, zero or less where it is due, or something else is
    /// shown by now.
    func wait(for ms: Int64, of count: Int) -> Duration? {
        guard count == shown.count, let pace else { return .zero }
        return pace.wait(for: ms)
    }

    /// Waits until a moment of the recording is due; false where something else is shown meanwhile.
    func isDue(_ ms: Int64, of count: Int) async throws -> Bool {
        while count == shown.count, let pace {
            let left = pace.wait(for: ms)
            if let left, left <= .zero { return true }
            await change(since: count, atMost: left)
            try Task.checkCancellation()
        }
        return count == shown.count
    }

    private func tellChange() {
        for change in changes.values { change.yield() }
    }
}
