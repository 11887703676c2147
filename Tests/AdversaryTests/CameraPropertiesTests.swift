import Adversary
import Explorer
import Testing

@Suite("The camera machine keeps its promises")
struct CameraPropertiesTests {
    @Test("In every everyday view", arguments: CameraConfiguration.everyday)
    func everyday(view: CameraConfiguration) throws {
        let world = CameraWorld(view)
        let graph = try Graph(world, limit: 100_000)
        for property in CameraProperties.all(view) {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(view.name): \(complaint ?? "")")
        }
    }
}
