internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Server

/// Players that know an address and no session: each gets a session of its own, which ends when the player stops asking.
extension Sessions {
    /// How long after its last request a player of recordings is taken to have stopped, in milliseconds.
    static let playerIdleMs: Int64 = 60_000
    /// The same of one that asks for live pictures one by one, in milliseconds.
    static let stillIdleMs: Int64 = 20_000

    /// The live picture for a player, in a session of its own that ends with it: limit, privacy and duration hold as for any.
    func livePlayer(
        _ camera: CameraRuntime, _ definition: Session.Definition, withSound: Bool, by caller: Caller
    ) async throws -> StreamViewer {
        let id = try open(camera, by: caller, isPlayer: true, wantsSound: withSound).id
        do {
            _ = try await ask(id, .connect, by: caller)
            _ = try await ask(id, .startPreview(definition, others: 0), by: caller)
            // A camera without sound is shown without it.
            if withSound { _ = try? await ask(id, .mute(false), by: caller) }
            return try picture(of: id, camera: camera.name)
        } catch {
            _ = try? close(id, by: "\(caller)")
            throw error
        }
    }

    /// Says whether one live picture after another may be given out: the caller gets a session of its own, which holds the
    /// camera until no picture was asked for in `stillIdleMs`.
    func admitStill(_ camera: CameraRuntime, _ definition: Session.Definition, by caller: Caller) async throws {
        let player = viewers.values.first {
            $0.wantsStills && $0.camera == camera.name && $0.owner == caller.account
                && !$0.machine.hasEnded && $0.machine.definition ?? definition == definition
        }
        // One that is being started is waited for with the picture.
        if let player { return player.clipTimer.set(afterMs: Self.stillIdleMs) }
        let id = try open(camera, by: caller, isPlayer: true).id
        viewers[id]?.wantsStills = true
        viewers[id]?.clipTimer.set(afterMs: Self.stillIdleMs)
        do {
            _ = try await ask(id, .connect, by: caller)
            _ = try await ask(id, .startPreview(definition, others: 0), by: caller)
        } catch {
            _ = try? close(id, by: "\(caller)")
            throw error
        }
    }

    /// Says whether a picture of a session that shows one may be given out.
    func admitStill(of session: String, camera: String) throws(SiteError) {
        guard let viewer = viewers[session], viewer.camera == camera else {
            throw SiteError.unknownSession(session, on: "camera \(camera)")
        }
        guard viewer.machine.phase == .previewing else {
            throw SiteError(.startPreview, viewer.machine.hasEnded ? .ended : .notPreviewing, of: viewer)
        }
    }

    /// Says whether a request for recordings of a camera's day may be answered. With `session` it must be one of the camera
    /// that plays; without, the player gets one of its own, or goes on with the one that it has.
    func admitPlayback(
        _ camera: CameraRuntime, _ day: Session.Day, session: String?, by caller: Caller
    ) async throws {
        if let session {
            guard let viewer = viewers[session], viewer.camera == camera.name else {
                throw SiteError.unknownSession(session, on: "camera \(camera.name)")
            }
            try viewer.view.check(caller)
            guard viewer.machine.isPlayback else {
                throw SiteError(
                    .startPlayback, viewer.machine.hasEnded ? .ended : .notPlaying, of: viewer)
            }
            return
        }
        let player = viewers.values.first {
            $0.isPlayer && $0.camera == camera.name && $0.owner == caller.account && !$0.machine.hasEnded
                && !$0.machine.isLive && $0.plays != nil
        }
        if let player {
            player.clipTimer.set(afterMs: Self.playerIdleMs)
            if player.plays == day { return }
            player.plays = day
            do { return try await play(day, player.id, by: caller) } catch {
                // Where nothing is shown and nothing is under way, its next request begins anew.
                if player.machine.phase == .idle, player.machine.ask == nil {
                    _ = try? close(player.id, by: "\(caller)")
                }
                throw error
            }
        }
        let id = try open(camera, by: caller, isPlayer: true).id
        viewers[id]?.plays = day
        viewers[id]?.clipTimer.set(afterMs: Self.playerIdleMs)
        do {
            _ = try await ask(id, .connect, by: caller)
            try await play(day, id, by: caller)
        } catch {
            _ = try? close(id, by: "\(caller)")
            throw error
        }
    }

    /// A player goes where it likes: the whole day counts as what it plays.
    private func play(_ day: Session.Day, _ id: String, by caller: Caller) async throws {
        _ = try await ask(id, .listClips(day), by: caller)
        let interval = CalendarDay(number: day.rawValue).flatMap { SiteDays(zone: zone()).interval(of: $0) } ?? 0..<1
        let whole = Session.Position(
            clip: 0, startMs: interval.lowerBound, stopMs: interval.upperBound, playTimeMs: interval.lowerBound)
        _ = try await ask(id, .startPlayback(day, whole), by: caller)
    }
}
