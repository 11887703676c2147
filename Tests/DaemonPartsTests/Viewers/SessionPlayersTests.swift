import Foundation
import Journal
import Machines
import Media
import Server
import Testing

@testable import Daemon

@Suite("The sessions of players that know only an address", .serialized)
struct SessionPlayersTests {
    @Test("a player that looks on goes on looking; whatever else has come to its end is forgotten with its place (L9)")
    func duration() async throws {
        let house = try ViewerHouse(site: "viewers: { duration: 30s }")
        try await house.wait("a link") { try house.camera().actor.view.machine.link.phase == .streaming }
        let sessions = house.sessions
        let idle = try await house.connected()
        let watched = try await house.connected()
        try await house.ask(watched, .startPreview(.sd, others: 0))
        let picture = try await sessions.livePlayer(house.camera(), .hd, withSound: false, by: ViewerHouse.caller(5))
        let reading = Task { for await _ in picture {} }
        let player = try #require(sessions.views.first { $0.owner != sessions.view(idle)?.owner })
        let first = try #require(player.machine.left)
        try await house.wait("more time for who looks on") { (sessions.view(player.id)?.machine.left ?? first) > first }
        try await house.wait("the end of who asks no more") {
            [idle, watched].allSatisfy { sessions.view($0)?.machine.phase == .ended(.expired) }
        }
        try await house.wait("them to be forgotten") { [idle, watched].allSatisfy { sessions.view($0) == nil } }
        #expect(sessions.view(player.id)?.machine.phase == .previewing)
        picture.leave()
        await reading.value
        try await house.wait("its end") { sessions.view(player.id)?.machine.phase == .ended(.closed) }
        _ = try await house.end()
    }

    @Test("a player whose camera is taken away has no session any more, and begins anew with its next request")
    func lost() async throws {
        let house = try ViewerHouse()
        try await house.wait("a link") { try house.camera().actor.view.machine.link.phase == .streaming }
        let (sessions, front) = (house.sessions, try house.camera())
        let today = Session.Day(try #require(ViewerHouse.days.day(atMs: SystemHost().clock.wallMs())))
        for _ in 0..<2 {
            try await sessions.admitPlayback(front, today, session: nil, by: ViewerHouse.caller())
            try await sessions.admitStill(front, .hd, by: ViewerHouse.caller())
            let phases = sessions.views.map(\.machine.phase).filter { $0 != .ended(.closed) }
            #expect(phases.contains(.playing) && phases.contains(.previewing) && phases.count == 2, "\(phases)")
            // As when its camera is configured anew.
            sessions.camera("front", hidden: .draining)
            try await house.wait("their end") { sessions.views.allSatisfy { $0.machine.phase == .ended(.closed) } }
        }
        _ = try await house.end()
    }
}
