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
}
