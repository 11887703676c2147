import Catalog
import Foundation
import Journal
import Machines
import Media
import Replay
import Server
import Testing
import Trace

@testable import Daemon

@Suite("Sessions that play and record", .serialized)
struct SessionPlaybackTests {
    private func replay(_ records: [TraceRecord]) {
        var viewers = ViewersReplay()
        for record in records { viewers.take(record) }
        #expect(!viewers.replays.isEmpty)
        for replay in viewers.replays {
            #expect(replay.isClean && replay.agreed == replay.records, "\(replay.differences)")
        }
    }

    /// Lists the newest day, and gives it with its clips.
    private func day(_ house: ViewerHouse, _ id: String) async throws -> (CalendarDay, [ClipInfo]) {
        let days = try await house.sessions.ask(id, .listDays, by: ViewerHouse.caller()).1.days
        let day = try #require(days?.last)
        let clips = try await house.sessions.ask(id, .listClips(Session.Day(day)), by: ViewerHouse.caller()).1.clips
        return (day, try #require(clips))
    }

    private func play(
        _ house: ViewerHouse, _ id: String, _ day: CalendarDay, _ clip: Int64, at moment: WallTime? = nil
    ) async throws -> Viewer.View {
        let position = try await house.sessions.position(of: clip, camera: "front", on: day, at: moment)
        return try await house.ask(id, .startPlayback(Session.Day(day), position))
    }

    @Test(
        "playback begins where it was asked for, advances by clock and speed, is held, and goes on with the next clip")
    func playback() async throws {
        let house = try ViewerHouse()
        let catalog = house.running.catalog
        try await house.wait("two clips that are closed, and one that is written") {
            try catalog.clips(ClipQuery(camera: "front")).count >= 3
        }
        let id = try await house.connected()
        let today = try #require(ViewerHouse.days.day(atMs: Int64(Date().timeIntervalSince1970 * 1_000)))
        #expect(try await house.refusal(id, .startPlayback(Session.Day(today), .nowhere)) == "startPlayback notListed")
        let (day, clips) = try await day(house, id)
        #expect(clips.count >= 2 && clips.map(\.camera).allSatisfy { $0 == "front" })
        let first = try #require(clips.first)
        let begin = first.start.ms + 3_000
        let view = try await play(house, id, day, first.id, at: WallTime(ms: begin))
        #expect(view.machine.phase == .playing && view.playback?.clip.id.rawValue == first.id)
        func position() throws -> Int64 {
            try #require(house.sessions.view(id)?.playback).positionMs(at: SystemHost().clock.now())
        }
        #expect(try position() >= begin)
        try await house.ask(id, .pause)
        let held = try position()
        #expect(try await house.refusal(id, .pause) == "pause notPlaying")
        #expect(try position() == held && held >= begin)
        try await house.ask(id, .speed(hundredths: 200))
        #expect(try await house.refusal(id, .speed(hundredths: 300)) == "speed outside")
        #expect(try position() == held)
        try await house.ask(id, .resume)
        // At twice its speed the clip is over soon; the next one follows without a hole. A busy machine may look at one after it.
        try await house.wait("a next clip") {
            (house.sessions.view(id)?.playback?.clip.id.rawValue).map { $0 > first.id } == true
        }
        #expect(house.sessions.view(id)?.machine.phase == .playing)
        // Another start replaces it.
        let again = try await play(house, id, day, first.id)
        #expect(again.playback?.clip.id.rawValue == first.id && again.machine.speed == .normal)
        #expect(try await house.refusal(id, .startPreview(.hd, others: 0)) == "startPreview playbackRunning")
        await #expect(throws: SiteError.self) { _ = try await play(house, id, day, 999_999) }
        let outside = WallTime(ms: first.start.ms - 1)
        await #expect(throws: SiteError.self) { _ = try await play(house, id, day, first.id, at: outside) }
        // A clip of another camera is not there.
        await #expect(throws: SiteError.self) {
            _ = try await house.sessions.position(of: first.id, camera: "back", on: day, at: nil)
        }
        try await house.ask(id, .stopPlayback)
        #expect(house.sessions.view(id)?.machine.phase == .idle && house.sessions.view(id)?.playback == nil)
        try await house.wait("its record") { house.told.contains("recording shown: clip \(first.id), from ") }
        replay(try await house.end())
    }

    @Test(
        "what a viewer records is a protected range of the recording; what forbids recording ends and refuses it (S6, S7)"
    )
    func record() async throws {
        let house = try ViewerHouse(mode: "event", detection: false)
        let catalog = house.running.catalog
        let id = try await house.connected()
        #expect(try await house.refusal(id, .record(true)) == "record notShowing")
        try await house.ask(id, .startPreview(.hd, others: 0))
        #expect(try await house.ask(id, .record(true)).machine.record)
        try await house.wait("a clip by command") {
            try catalog.clips(ClipQuery(camera: "front", includingOpen: true)).contains { $0.opened.cause == .command }
        }
        try await house.ask(id, .record(false))
        try await house.wait("its protection") { house.told.contains("a viewer recorded: uid 1000, pid 7, 1 clips") }
        #expect(try catalog.clips(ClipQuery(camera: "front", includingOpen: true)).allSatisfy(\.protected))
        #expect(try await house.ask(id, .record(true)).machine.record)
        try await house.turn([.softRecording: true])
        try await house.wait("its end") { house.sessions.view(id)?.machine.record == false }
        // The live picture goes on.
        #expect(house.sessions.view(id)?.machine.phase == .previewing)
        #expect(try await house.refusal(id, .record(true)) == "record unsupported")
        try await house.turn([.softRecording: false])
        #expect(try await house.ask(id, .record(true)).machine.record)
        try await house.turn([.enabled: false])
        // The sessions are told in the camera's step, which is over.
        let machine = try await house.ask(id, .extend).machine
        #expect(!machine.record && machine.phase == .previewing)
        #expect(try await house.refusal(id, .record(true)) == "record unsupported")
        replay(try await house.end())
    }

    @Test(
        "a player without a session gets one of its own, for which limit and privacy hold, until it stops asking (S7)")
    func players() async throws {
        let house = try ViewerHouse(site: "viewers: { limit: 1 }")
        try await house.wait("a link") { try house.camera().actor.view.machine.link.phase == .streaming }
        let (sessions, front) = (house.sessions, try house.camera())
        var picture: StreamViewer? = try await sessions.livePlayer(
            front, .hd, withSound: true, by: ViewerHouse.caller())
        #expect(sessions.views.map(\.machine.phase) == [.previewing] && sessions.views.first?.machine.sound == true)
        #expect(picture != nil)
        await #expect(throws: SiteError.self) {
            _ = try await sessions.livePlayer(front, .sd, withSound: false, by: ViewerHouse.caller(5))
        }
        picture = nil
        try await house.wait("its end") { sessions.views.allSatisfy { $0.machine.phase == .ended(.closed) } }
        let other = try await sessions.livePlayer(front, .sd, withSound: false, by: ViewerHouse.caller(5))
        try await house.turn([.hard: true])
        var last: StreamItem?
        while let item = other.poll() { last = item }
        guard case .ended(.privacy)? = last else { throw CancellationError() }
        await #expect(throws: SiteError.self) {
            _ = try await sessions.livePlayer(front, .hd, withSound: false, by: ViewerHouse.caller())
        }
        // Recordings stay playable. Two requests of a player are of one session.
        let today = try #require(ViewerHouse.days.day(atMs: SystemHost().clock.wallMs()))
        for _ in 0..<2 {
            try await sessions.admitPlayback(front, Session.Day(today), session: nil, by: ViewerHouse.caller())
        }
        let playing = sessions.views.filter { $0.machine.phase == .playing }
        #expect(playing.count == 1)
        let id = try #require(playing.first?.id)
        try await sessions.admitPlayback(front, Session.Day(today), session: id, by: ViewerHouse.caller())
        let idle = try await house.connected()
        for (session, camera) in [(idle, "front"), ("0", "front"), (id, "back")] {
            let asked = try house.camera(camera)
            await #expect(throws: SiteError.self) {
                try await sessions.admitPlayback(asked, Session.Day(today), session: session, by: ViewerHouse.caller())
            }
        }
        replay(try await house.end())
    }

    @Test("a stop ends every session, and what viewers recorded is protected before the catalog is closed")
    func drain() async throws {
        let house = try ViewerHouse(mode: "event")
        let id = try await house.connected()
        try await house.ask(id, .startPreview(.hd, others: 0))
        try await house.ask(id, .record(true))
        try await house.wait("a clip") {
            try !house.running.catalog.clips(ClipQuery(camera: "front", includingOpen: true)).isEmpty
        }
        await house.sessions.drain()
        #expect(house.sessions.view(id)?.machine.phase == .ended(.draining))
        #expect(
            try house.running.catalog.clips(ClipQuery(camera: "front", includingOpen: true)).allSatisfy(\.protected))
        await #expect(throws: SiteError.self) {
            _ = try await house.sessions.open(house.camera(), by: ViewerHouse.caller())
        }
        replay(try await house.end())
    }
}

extension Session.Position {
    /// A moment of no clip.
    fileprivate static let nowhere = Session.Position(clip: 1, startMs: 0, stopMs: 1, playTimeMs: 0)
}
