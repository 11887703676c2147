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

@Suite("Where the playback of a session goes on, and where it ends", .serialized)
struct SessionHoleTests {
    /// A house that records nothing by itself, with one group of its camera's pictures.
    private func quiet() async throws -> (house: ViewerHouse, frames: [Frame]) {
        let house = try ViewerHouse(mode: "off")
        return (house, try await house.group())
    }

    /// Plays a clip at sixteen times its speed until playback finishes; says how.
    private func finish(
        _ house: ViewerHouse, _ id: String, _ day: CalendarDay, _ clip: ClipID, _ reach: Session.Reach? = nil
    ) async throws -> SessionInfo.Finish? {
        let position = try await house.sessions.position(of: clip.rawValue, camera: "front", on: day, at: nil)
        try await house.ask(id, .startPlayback(Session.Day(day), position, reach))
        // On a busy machine a clip of a second is over before the question comes.
        _ = try? await house.ask(id, .speed(hundredths: 1_600))
        try await house.wait("the end of playback") { house.sessions.view(id)?.finished != nil }
        #expect(house.sessions.view(id)?.machine.phase == .idle)
        return house.sessions.view(id)?.finished
    }

    @Test("a chained clip is played on; a hole names the next clip's begin; a day ends with its last clip")
    func holes() async throws {
        let (house, frames) = try await quiet()
        let (day, midnight) = try ViewerHouse.yesterday()
        let noon = midnight - 12 * 3_600_000
        let first = try house.write(frames, atMs: noon, lengthMs: 1_000)
        let second = try house.write(frames, atMs: noon + 1_000, lengthMs: 1_000, chainedTo: first)
        // Not chained, and yet without a hole.
        let third = try house.write(frames, atMs: noon + 2_000 + Sessions.contiguousMs, lengthMs: 1_000)
        let last = try house.write(frames, atMs: noon + 60_000, lengthMs: 1_000)
        // The next day's first clip does not follow, however near it is.
        _ = try house.write(frames, atMs: midnight, lengthMs: 1_000)
        let id = try await house.connected()
        #expect(try await house.sessions.ask(id, .listDays, by: ViewerHouse.caller()).1.days?.first == day)
        let listed = try await house.sessions.ask(id, .listClips(Session.Day(day)), by: ViewerHouse.caller()).1.clips
        #expect(listed?.map(\.id) == [first, second, third, last].map(\.rawValue))
        #expect(
            try await finish(house, id, day, first)
                == SessionInfo.Finish(why: "hole", next: WallTime(ms: noon + 60_000)))
        // The day is still listed.
        #expect(try await finish(house, id, day, last) == SessionInfo.Finish(why: "end"))
        let played = try await house.end().filter { $0.input.contains("clipEnded") }.map(\.input)
        #expect(played.map { $0.contains("follows") } == [true, true, false, false], "\(played)")
    }

    @Test("a start that asks for it plays every clip of the day over holes, and none of the next day")
    func overHoles() async throws {
        let (house, frames) = try await quiet()
        let (day, midnight) = try ViewerHouse.yesterday()
        let noon = midnight - 12 * 3_600_000
        var clips = [try house.write(frames, atMs: noon, lengthMs: 1_000)]
        clips.append(try house.write(frames, atMs: noon + 1_000, lengthMs: 1_000, chainedTo: clips[0]))
        clips.append(try house.write(frames, atMs: noon + 60_000, lengthMs: 1_000))
        clips.append(try house.write(frames, atMs: midnight - 3_600_000, lengthMs: 1_000))
        _ = try house.write(frames, atMs: midnight, lengthMs: 1_000)
        let id = try await house.connected()
        try await house.ask(id, .listClips(Session.Day(day)))
        #expect(try await finish(house, id, day, clips[0], .overHoles) == SessionInfo.Finish(why: "end"))
        // Once, and for this start only.
        #expect(
            try await finish(house, id, day, clips[0])
                == SessionInfo.Finish(why: "hole", next: WallTime(ms: noon + 60_000)))
        let records = try await house.end()
        let played = records.filter { $0.input.contains("clipEnded") }.map(\.input)
        let words = ["follows", "hole", "hole", "end", "follows", "hole"]
        #expect(played.count == words.count && zip(played, words).allSatisfy { $0.contains($1) }, "\(played)")
        var viewers = ViewersReplay()
        for record in records { viewers.take(record) }
        #expect(viewers.replays.allSatisfy { $0.isClean && $0.agreed == $0.records })
        #expect(!viewers.replays.isEmpty)
    }

    @Test("the sound of a recording is switched where its clip has any, and off again with the next start")
    func sound() async throws {
        let house = try ViewerHouse()
        let catalog = house.running.catalog
        try await house.wait("a clip with sound") {
            try catalog.clips(ClipQuery(camera: "front", includingOpen: true)).contains {
                $0.tracks.contains { $0.kind == .audio }
            }
        }
        let heard = try #require(try catalog.clips(ClipQuery(camera: "front", includingOpen: true)).first)
        let today = try #require(ViewerHouse.days.day(atMs: heard.start.wallMs))
        let (before, midnight) = try ViewerHouse.yesterday()
        let silent = try house.write(try await house.group(), atMs: midnight - 3_600_000, lengthMs: 60_000)
        let id = try await house.connected()
        #expect(try await house.refusal(id, .mute(false)) == "mute notShowing")
        func play(_ clip: ClipID, _ day: CalendarDay) async throws {
            try await house.ask(id, .listClips(Session.Day(day)))
            let position = try await house.sessions.position(of: clip.rawValue, camera: "front", on: day, at: nil)
            #expect(try await !house.ask(id, .startPlayback(Session.Day(day), position)).machine.sound)
        }
        try await play(silent, before)
        #expect(try await house.refusal(id, .mute(false)) == "mute unsupported")
        try await play(heard.id, today)
        #expect(try await house.ask(id, .mute(false)).machine.sound)
        #expect(try await house.ask(id, .pause).machine.sound)
        #expect(try await !house.ask(id, .mute(true)).machine.sound)
        #expect(try await house.ask(id, .mute(false)).machine.sound)
        try await play(heard.id, today)
        try await house.ask(id, .stopPlayback)
        _ = try await house.end()
    }

    @Test("a clip that has just been closed is not the day's last before the next one had time to be opened")
    func edge() async throws {
        let (house, frames) = try await quiet()
        // Its end is not long ago, however slow the machine is.
        let end = SystemHost().clock.wallMs() + 5_000
        let first = try house.write(frames, atMs: end - 6_000, lengthMs: 6_000)
        let id = try await house.connected()
        let day = try #require(ViewerHouse.days.day(atMs: end - 6_000))
        try await house.ask(id, .listClips(Session.Day(day)))
        let position = try await house.sessions.position(of: first.rawValue, camera: "front", on: day, at: nil)
        try await house.ask(id, .startPlayback(Session.Day(day), position))
        try await house.ask(id, .speed(hundredths: 1_600))
        try await house.wait("the end of the clip") {
            house.sessions.view(id)?.playback?.positionMs(at: SystemHost().clock.now()) == end
        }
        let second = try house.write(frames, atMs: end, lengthMs: 3_600_000, chainedTo: first)
        try await house.wait("the next one") { house.sessions.view(id)?.playback?.clip.id == second }
        #expect(house.sessions.view(id)?.machine.phase == .playing)
        _ = try await house.end()
    }

    @Test("a clip that is being written is of the days until now, and of none that is to come")
    func tomorrow() async throws {
        let house = try ViewerHouse()
        let catalog = house.running.catalog
        try await house.wait("a clip that is written") {
            try !catalog.clips(ClipQuery(camera: "front", includingOpen: true)).isEmpty
        }
        let id = try await house.connected()
        let asked = try #require(ViewerHouse.days.day(atMs: SystemHost().clock.wallMs()))
        let days = try #require(try await house.sessions.ask(id, .listDays, by: ViewerHouse.caller()).1.days)
        let now = try #require(ViewerHouse.days.day(atMs: SystemHost().clock.wallMs()))
        #expect(!days.isEmpty && days.allSatisfy { (asked...now).contains($0) })
        let next = Session.Day(now.number + 1)
        let clips = try await house.sessions.ask(id, .listClips(next), by: ViewerHouse.caller()).1.clips
        #expect(clips?.isEmpty == true)
        _ = try await house.end()
    }
}
