import Explorer
import Machines
import Testing
import Worlds

@Suite("The transport machine in every world")
struct TransportGraphTests {
    @Test("Its graph is that of the model, step by step")
    func golden() throws {
        let world = TransportWorld()
        let graph = try Graph(world)
        #expect(Golden.digest(of: graph.lines(of: world)) == (try Golden.digest("Transport")))
        #expect(graph.states.count == 544)
        #expect(graph.edgeCount == 11_968)
    }

    /// Fails with the story of each property that does not hold.
    func check<M: World>(_ properties: [Property<M>], in world: M) throws {
        let graph = try Graph(world)
        for property in properties {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil)
        }
    }

    @Test("Everything that is promised of it holds")
    func properties() throws { try check(TransportWorld().properties, in: TransportWorld()) }

    @Test("Every case that the promises speak of happens")
    func cases() throws { try check(TransportWorld().cases, in: TransportWorld()) }

    @Test("However much moves, a recording of motion ends (S4)")
    func calm() throws {
        let world = TransportWorld(isCalm: true)
        try check(world.calmProperties, in: world)
    }

    @Test(
        "With other time controls, which meet in other ways, the promises hold too",
        arguments: [(1, 0, 1, 0), (3, 1, 7, 2)])
    func others(_ control: (initial: Int, augmentation: Int, max: Int, blind: Int)) throws {
        let world = TransportWorld(
            initial: Int64(control.initial), augmentation: Int64(control.augmentation), max: Int64(control.max),
            blind: Int64(control.blind), expiry: 3)
        try check(world.properties, in: world)
        try check(TransportWorld.lengths, in: WatchedTransport<LengthWatcher>(world))
        try check(TransportWorld.blinds, in: WatchedTransport<QuietWatcher>(world))
    }

    @Test("Where other options bring other times, what runs keeps its own (T9)")
    func options() throws { try check(TransportWorld.options.properties, in: TransportWorld.options) }

    @Test("Who hears only what comes in and what is ordered can tell when it records, and when a recording ends")
    func watched() throws {
        let world = TransportWorld()
        try check(TransportWorld.lengths, in: WatchedTransport<LengthWatcher>(world))
        try check(TransportWorld.blinds, in: WatchedTransport<QuietWatcher>(world))
        try check(TransportWorld.grounds, in: WatchedTransport<GroundWatcher>(world))
    }
}
