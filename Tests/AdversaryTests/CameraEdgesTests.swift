import Adversary
import Explorer
import Testing

@Suite("The camera machine has the graph of its model")
struct CameraEdgesTests {
    @Test(
        "Edge by edge", arguments: [CameraConfiguration.link, .trigger, .event, .cont])
    func edges(view: CameraConfiguration) throws {
        let world = CameraWorld(view)
        let golden = try Golden.lines("Camera-\(view.golden)")
        let graph = try Graph(world, limit: 100_000)
        #expect(Golden.differences(graph.lines(of: world), golden) == "")
    }

    @Test("Region by region", arguments: [CameraConfiguration.triggerFull, .linkFull, .product])
    func digests(view: CameraConfiguration) throws {
        let world = CameraWorld(view)
        let golden = try Golden.digest("Camera-\(view.golden)")
        let graph = try Graph(world, limit: 100_000)
        #expect(Golden.digest(of: graph.lines(of: world)) == golden)
    }
}

extension CameraConfiguration {
    /// The golden graph's name.
    var golden: String { String(name.prefix { $0 != "." }) }
}
