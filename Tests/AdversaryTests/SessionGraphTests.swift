import Adversary
import Explorer
import Machines
import Testing

@Suite("The graph of the session machine")
struct SessionGraphTests {
    @Test(
        "It is the model's, line by line",
        arguments: [
            (SessionWorld.Alphabet.preview, "Session-preview", 191, 5_471),
            (.playback, "Session-playback", 117, 3_412),
        ])
    func lines(_ alphabet: SessionWorld.Alphabet, _ name: String, _ states: Int, _ edges: Int) throws {
        let world = SessionWorld(alphabet)
        let graph = try Graph(world)
        #expect(Golden.differences(graph.lines(of: world), try Golden.lines(name)) == "")
        #expect(graph.states.count == states && graph.edgeCount == edges)
    }

    @Test("All of it is the model's, region by region")
    func digest() throws {
        let world = SessionWorld(.all)
        let graph = try Graph(world)
        #expect(
            Golden.differences(Golden.digest(of: graph.lines(of: world)), try Golden.digest("Session")) == "")
        #expect(graph.states.count == 377 && graph.edgeCount == 15_426 && graph.depth.max() == 12)
    }
}
