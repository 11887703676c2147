import Explorer
import Machines
import Testing
import Worlds

@Suite("The subscription machine in every world")
struct SubscriptionGraphTests {
    @Test("Its graph is that of the model, line by line")
    func golden() throws {
        let world = SubscriptionWorld()
        let graph = try Graph(world)
        let differences = Golden.differences(graph.lines(of: world), try Golden.lines("Subscription"))
        #expect(differences == "")
        #expect(graph.states.count == 174)
        #expect(graph.edgeCount == 1_914)
        #expect(graph.depth.max() == 7)
    }

    /// Fails with the story of each property that does not hold.
    @discardableResult
    func check(
        _ properties: [Property<SubscriptionWorld>], in world: SubscriptionWorld
    ) throws -> Graph<SubscriptionWorld> {
        let graph = try Graph(world)
        for property in properties {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil)
        }
        return graph
    }

    @Test("Everything that is promised of it holds")
    func properties() throws {
        try check(SubscriptionWorld.properties, in: SubscriptionWorld())
    }

    @Test("Every case that the promises speak of happens")
    func antecedents() throws {
        try check(SubscriptionWorld.antecedents, in: SubscriptionWorld())
    }

    @Test("With longer bounds, which meet in other ways, the promises hold too")
    func larger() throws {
        let world = SubscriptionWorld(
            answer: 2, retry: 4, refresh: 7, retention: 9, untils: [1, 3, 8], gones: [0, 1, 9])
        let graph = try check(SubscriptionWorld.properties, in: world)
        #expect(graph.states.count == 612 && graph.edgeCount == 7_236)
    }

    @Test("A plan that is not renewed ends, and so does what was stored under it")
    func steady() throws {
        let properties = SubscriptionWorld.properties + SubscriptionWorld.steadyProperties
        try check(properties, in: SubscriptionWorld(steady: true))
    }

    @Test("Where plans end at the moment at which they are told, and have another retention, the promises hold (L10)")
    func ending() throws { try check(SubscriptionWorld.endingProperties, in: SubscriptionWorld.ending) }

    @Test("In every state an answer to any other load than the outstanding one changes nothing")
    func strayAnswers() throws {
        for state in try Graph(SubscriptionWorld()).states where state.nextDeadline != Instant(ms: 0) {
            for raw in 0...state.loads + 2 {
                let number = Subscription.LoadNumber(raw)
                if case .ask(number, _) = state.load { continue }
                let given = 1...state.loads ~= raw
                let why: Subscription.Ignored = state.load == .stopped ? .stopped : given ? .late : .unknown
                for event in [Subscription.Event.loaded(number, .none), .loadFailed(number, .refused)] {
                    var machine = state
                    #expect(machine.step(event, at: Instant(ms: 0)) == [.ignored(why)])
                    #expect(machine == state)
                }
            }
        }
    }
}
