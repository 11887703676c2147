import Adversary
import Explorer
import Testing

@Suite("The upload machine in every world")
struct UploadGraphTests {
    @Test("Its graph is that of the model, line by line")
    func golden() throws {
        let world = UploadWorld()
        let graph = try Graph(world)
        let differences = Golden.differences(graph.lines(of: world), try Golden.lines("Upload"))
        #expect(differences == "")
        #expect(graph.states.count == 166)
        #expect(graph.edgeCount == 3_186)
        #expect(graph.depth.max() == 12)
    }
}
