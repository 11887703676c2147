import Catalog
import Foundation
import Journal
import Machines
import Media
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
        _ house: ViewerHouse, _ id: String, _ day: CalendarDay, _ clip: ClipID
    ) async throws -> SessionInfo.Finish? {
        let position = try await house.sessions.position(of: clip.rawValue, camera: "front", on: day, at: nil)
        try await house.ask(id, .startPlayback(Session.Day(day), position))
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
