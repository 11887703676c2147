import Explorer
import Testing
import Worlds

@Suite("A subscription with an upload, as one product")
struct SubscriptionUploadsGraphTests {
    @Test("Its graph is that of the model, line by line")
    func golden() throws {
        let world = SubscriptionUploadsWorld()
        let graph = try Graph(world)
        let golden = try Golden.lines("SubscriptionUploads")
        #expect(Golden.differences(graph.lines(of: world), golden) == "")
        #expect(graph.states.count == 853 && graph.edgeCount == 4_964)
    }

    @Test("What is promised of both together holds, and every case of it happens (S20, S21)")
    func properties() throws {
        try check(SubscriptionUploadsWorld.properties + SubscriptionUploadsWorld.cases, in: SubscriptionUploadsWorld())
    }

    @Test("What counts without a plan is purged in the end (L10)")
    func live() throws {
        let promises = SubscriptionUploadsWorld.properties + SubscriptionUploadsWorld.steadyProperties
        try check(promises, in: SubscriptionUploadsWorld(steady: true))
    }

    func check(_ promises: [Property<SubscriptionUploadsWorld>], in world: SubscriptionUploadsWorld) throws {
        let graph = try Graph(world)
        for promise in promises { #expect(promise.complaint(on: graph, of: world) == nil) }
    }
}
