import Explorer
import Machines
import Testing
import Worlds

@Suite("What is promised of a session")
struct SessionPropertyTests {
    static let worlds = [SessionWorld(.all), SessionWorld(.all, answer: 2, duration: 3), SessionWorld(.all, answer: 2)]

    func check(_ properties: [Property<SessionWorld>], in world: SessionWorld) throws {
        let graph = try Graph(world)
        for property in properties {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
        }
    }

    @Test("Every promise is kept, with bounds in every order", arguments: worlds)
    func promises(_ world: SessionWorld) throws { try check(SessionWorld.properties, in: world) }

    @Test("Who listens, who looks at holes and who waits for the end of the day find nothing broken", arguments: worlds)
    func watched(_ world: SessionWorld) throws {
        func check<Watcher>(_ watched: WatchedSession<Watcher>, _ properties: [Property<WatchedSession<Watcher>>])
            throws
        {
            let graph = try Graph(watched)
            for property in properties {
                let complaint = property.complaint(on: graph, of: watched)
                #expect(complaint == nil, "\(complaint ?? "")")
            }
        }
        try check(WatchedSession<SoundWatcher>(world), SessionWorld.sounds)
        try check(WatchedSession<HoleWatcher>(world), SessionWorld.holes)
        try check(WatchedSession<EndWatcher>(world), SessionWorld.ends)
    }

    @Test("Who counts the time sees a session end when it is over, and not before (L9)")
    func times() throws {
        let world = WatchedSession<TimeWatcher>(SessionWorld(.all))
        let graph = try Graph(world)
        for property in SessionWorld.times {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
        }
    }

    @Test("Every case that a promise speaks of happens")
    func cases() throws { try check(SessionWorld.cases, in: SessionWorld(.all)) }

    @Test("L9 from any moment on without requests, a session ends", arguments: worlds)
    func calm(_ world: SessionWorld) throws {
        try check(SessionWorld.calmProperties, in: SessionWorld(.calm, from: try Graph(world).states, of: world))
    }

    @Test("L9 without an extension, a session does not stay live")
    func unextended() throws { try check(SessionWorld.unextendedProperties, in: SessionWorld(.withoutExtension)) }

    @Test("L9 needs what it assumes: with an extension, without time or without a player it fails")
    func assumptions() throws {
        let all = Self.worlds[0]
        let graph = try Graph(all)
        for property in SessionWorld.unextendedProperties {
            #expect(property.complaint(on: graph, of: all) != nil)
        }
        let calm = try Graph(SessionWorld(.calm, from: graph.states, of: all))
        #expect(calm.leadsTo({ _ in true }, { $0.session.hasEnded }, fairness: [SessionWorld.time]) != nil)
        #expect(calm.leadsTo({ _ in true }, { $0.session.hasEnded }, fairness: [SessionWorld.player]) != nil)
    }
}
