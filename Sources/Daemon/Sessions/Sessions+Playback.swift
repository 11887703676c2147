internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server

/// Playback: which moment of which clip is shown, and what follows at a clip's end.
extension Sessions {
    /// By how much a clip may begin before or after the end of another one and still follow it without a hole, in milliseconds.
    static let contiguousMs: Int64 = 100
    /// How often it is looked whether a clip that is being written has grown, in milliseconds.
    static let growingMs: Int64 = 500
    /// For how long after a clip's end the one that follows it may still be about to be opened, in milliseconds.
    static let followMs: Int64 = 10_000

    /// What a request to play means: the part of the clip that lies in the day. `notFound` where the camera has no such clip.
    nonisolated func position(
        of id: Int64, camera: String, on day: CalendarDay, at moment: WallTime?
    ) async throws -> Session.Position {
        let (days, lookup) = (SiteDays(zone: zone()), lookup)
        let found = try await Blocking.run {
            try lookup.clip(ClipID(rawValue: id)).map { ($0, $0.endMs(lookup)) }
        }
        guard let (clip, endMs) = found, clip.camera == camera, clip.state != .deleting else {
            throw SiteError(
                .notFound, what: "clip \(id)", why: "camera \(camera) has no clip of this id, or it is being deleted",
                remedy: "list the clips of the day")
        }
        guard let whole = days.interval(of: day) else {
            throw SiteError(
                .invalid, what: "day \(day)", why: "the calendar has none", remedy: "name one that is listed")
        }
        let start = max(clip.start.wallMs, whole.lowerBound)
        return Session.Position(
            clip: id, startMs: start, stopMs: min(endMs, whole.upperBound), playTimeMs: moment?.ms ?? start)
    }

    func startPlayback(
        _ start: Session.StartNumber, _ day: Session.Day, _ position: Session.Position, _ number: Session.OrderNumber,
        _ viewer: Viewer
    ) {
        // A player goes where it likes: nobody knows which moment it shows.
        if viewer.isPlayer { return answer(viewer.id, number) }
        let (id, lookup) = (viewer.id, lookup)
        let dayEnd = CalendarDay(number: day.rawValue).flatMap { SiteDays(zone: zone()).interval(of: $0)?.upperBound }
        setPlayback(viewer, nil, at: host.clock.now())
        Task {
            let clip = try? await Blocking.run { () -> (Clip, Int64)? in
                guard let clip = try lookup.clip(ClipID(rawValue: position.clip)),
                    let files = try lookup.files(of: clip), !files.isEmpty
                else { return nil }
                return (clip, clip.endMs(lookup))
            }
            guard let (clip, endMs) = clip, let viewer = viewers[id], viewer.machine.ask?.number == number else {
                return answered(id, number, .unreachable)
            }
            viewer.prepared = PlaybackClock(
                start: start, clip: clip, endMs: endMs, dayEndMs: dayEnd ?? .max, atMs: position.playTimeMs,
                now: host.clock.now())
            // A speed that was asked for meanwhile.
            if let speed = viewer.machine.speed { viewer.prepared?.change(speed, at: host.clock.now()) }
            answered(id, number, nil)
        }
    }

    /// Shows this from now on.
    func setPlayback(_ viewer: Viewer, _ clock: PlaybackClock?, at now: Instant) {
        guard viewer.playback != nil || clock != nil else { return }
        viewer.playback = clock
        viewer.nextClip = nil
        setClipTimer(viewer, at: now)
    }

    /// Wakes the viewer at the end of its clip.
    func setClipTimer(_ viewer: Viewer, at now: Instant) {
        viewer.clipTimer.set(afterMs: viewer.playback?.untilEndMs(at: now))
    }

    /// The end of a clip has come, as far as it was known.
    func clipDue(_ id: String) {
        if let viewer = viewers[id], viewer.isPlayer, !viewer.machine.hasEnded {
            step(viewer, .close, at: due(viewer))
            return
        }
        guard let viewer = viewers[id], viewer.machine.phase == .playing, let clock = viewer.playback else { return }
        let now = host.clock.now()
        if let left = clock.untilEndMs(at: now), left > 0 { return viewer.clipTimer.set(afterMs: left) }
        if let growing = lookup.growing(clock.clip) {
            // It is being written: what has come since is shown, and then what comes next.
            viewer.playback?.endMs = max(clock.endMs, clock.clip.start.wallMs &+ growing.durationMs)
            viewer.playback?.run(true, at: now)
            return viewer.clipTimer.set(
                afterMs: max(Self.growingMs, viewer.playback?.untilEndMs(at: now) ?? Self.growingMs))
        }
        let lookup = lookup
        Task {
            let found = try? await Blocking.run {
                let clip = try lookup.clip(clock.clip.id) ?? clock.clip
                return (clip.endMs(lookup), try lookup.next(after: clip).map { ($0, $0.endMs(lookup)) })
            }
            clipEnded(id, clock, found?.0, found?.1)
        }
    }

    /// `endMs`: where the clip ends, now that it is closed; `next`: the camera's next clip.
    private func clipEnded(_ id: String, _ clock: PlaybackClock, _ endMs: Int64?, _ next: (clip: Clip, endMs: Int64)?) {
        guard let viewer = viewers[id], let current = viewer.playback, current.start == clock.start,
            current.clip.id == clock.clip.id, viewer.machine.phase == .playing
        else { return }
        let now = due(viewer)
        if let endMs, endMs > current.endMs {
            // It went on between the last look and its end.
            viewer.playback?.run(false, at: now)
            viewer.playback?.endMs = endMs
            viewer.playback?.run(true, at: now)
            return setClipTimer(viewer, at: now)
        }
        let end = endMs ?? current.endMs
        if next == nil, (host.clock.wallMs() &- end).magnitude < Self.followMs.magnitude {
            // The recorder closes a clip before it opens the one that follows.
            return viewer.clipTimer.set(afterMs: Self.growingMs)
        }
        guard let next, next.clip.start.wallMs < clock.dayEndMs else {
            step(viewer, .clipEnded(clock.start, .end), at: now)
            return
        }
        viewer.nextClip = next
        let isChained = next.clip.opened.chainedTo == clock.clip.id
        guard isChained || (next.clip.start.wallMs - end).magnitude <= Self.contiguousMs.magnitude else {
            step(viewer, .clipEnded(clock.start, .hole(next: next.clip.start.wallMs)), at: now)
            return
        }
        step(viewer, .clipEnded(clock.start, .follows), at: now)
    }

    /// The sound of a recording lies beside its pictures, and its viewer takes it while it is on: there is nothing to be sent or held
    /// back, but a clip may have none.
    func unmute(_ clip: Clip, _ number: Session.OrderNumber, _ viewer: Viewer) {
        let (id, lookup) = (viewer.id, lookup)
        Task {
            // One that is being written has the track from its first sound on.
            let hasSound = try? await Blocking.run {
                (try lookup.clip(clip.id) ?? clip).tracks.contains { $0.kind == .audio }
            }
            answered(id, number, hasSound.map { $0 ? nil : .unsupported } ?? .unreachable)
        }
    }

    func playOn(_ viewer: Viewer, at now: Instant) {
        guard let next = viewer.nextClip, let clock = viewer.playback else { return }
        setPlayback(viewer, clock.followed(by: next.clip, endMs: next.endMs, at: now), at: now)
    }
}

extension Clip {
    /// Where it ends, as far as it is written, milliseconds since 1970.
    fileprivate func endMs(_ lookup: ClipLookup) -> Int64 {
        end?.wallMs ?? start.wallMs &+ (lookup.growing(self)?.durationMs ?? 0)
    }
}
