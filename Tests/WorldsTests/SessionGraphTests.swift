import Explorer
import Machines
import Testing
import Worlds

@Suite("The graph of the session machine")
struct SessionGraphTests {
    @Test(
        "It is the model's, line by line",
        arguments: [
            (SessionWorld.Alphabet.preview, "Session-preview", 209, 6_039),
            (.playback, "Session-playback", 195, 5_971),
        ])
    func lines(_ alphabet: SessionWorld.Alphabet, _ name: String, _ states: Int, _ edges: Int) throws {
        let world = SessionWorld(alphabet)
        let graph = try Graph(world)
        #expect(Golden.differences(graph.lines(of: world), try Golden.lines(name)) == "")
        #expect(graph.states.count == states && graph.edgeCount == edges)
    }

    /// TLC printed them, and the machine has the same.
    @Test("Each request of a viewer comes in in a view, refused and met, and live privacy both ways")
    func alphabets() throws {
        let lines = try Golden.lines("Session-preview") + Golden.lines("Session-playback")
        let steps = lines.map { $0.split(separator: " | ") }
        let events = Set(steps.compactMap { $0.dropFirst().first?.prefix { $0 != " " } })
        for step in Session.Step.allCases {
            let mine = steps.filter { $0.count == 3 && $0[1].prefix { $0 != "(" && $0 != " " } == step.rawValue }
            #expect(mine.contains { $0[2].hasPrefix("refused(\(step.rawValue),") }, "\(step)")
            #expect(mine.contains { !$0[2].hasPrefix("refused") && !$0[2].hasPrefix("ignored") }, "\(step)")
        }
        #expect(events.isSuperset(of: ["privacy(0)", "privacy(1)", "connectionLost", "close", "drain", "tick"]))
    }

    @Test("All of it is the model's, region by region")
    func digest() throws {
        let world = SessionWorld(.all)
        let graph = try Graph(world)
        #expect(
            Golden.differences(Golden.digest(of: graph.lines(of: world)), try Golden.digest("Session")) == "")
        #expect(graph.states.count == 995 && graph.edgeCount == 42_701 && graph.depth.max() == 16)
    }

    /// One session lives on and on, so that its numbers and the time grow, while the graph knows each class of states by
    /// the session that reached it first.
    @Test("Neither numbers nor the moment decide what a session does")
    func quotient() throws {
        let world = SessionWorld(.all)
        let graph = try Graph(world)
        let index = Dictionary(uniqueKeysWithValues: zip(graph.states, graph.states.indices))
        func line(_ label: Labelled<SessionWorld.Event, Session.Effect>, _ next: SessionWorld.State) -> String {
            "\(world.text(of: label.event)) \(label.effects.compactMap(world.text(of:))) \(world.text(of: next))"
        }
        var state = world.initial[0]
        var random: UInt64 = 1
        for _ in 0..<1_000 {
            let steps = world.successors(of: state)
            let known = try #require(index[state])
            #expect(
                steps.map { line($0.action, $0.next) }
                    == graph.edges[known].map { line($0.action, graph.states[$0.target]) })
            let lives = steps.map(\.next).filter { !$0.session.hasEnded && $0 != state }
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            state = lives[Int(random >> 33) % lives.count]
        }
        #expect(state.session.orders > 100 && state.session.starts > 1 && state.now > Instant(ms: 100_000))
    }
}
