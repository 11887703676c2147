import Adversary
import Explorer
import Testing

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
    func check(_ properties: [Property<SubscriptionWorld>], in world: SubscriptionWorld) throws {
        let graph = try Graph(world)
        for property in properties {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil)
        }
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
        try check(
            SubscriptionWorld.properties,
            in: SubscriptionWorld(answer: 2, retry: 4, refresh: 7, retention: 9, untils: [1, 3, 8], gones: [0, 1, 9]))
    }

    @Test("A plan that is not renewed ends, and so does what was stored under it")
    func steady() throws {
        let properties = SubscriptionWorld.properties + SubscriptionWorld.steadyProperties
        try check(properties, in: SubscriptionWorld(steady: true))
    }
}
