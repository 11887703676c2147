import Explorer
import Testing
import Worlds

@Suite("A camera with its sessions, explored")
struct CameraSessionsGraphTests {
    /// A view and the size of its graph.
    struct Pinned: CustomStringConvertible, Sendable {
        let view: CameraSessionsView
        let states: Int
        let edges: Int
        var description: String { "\(view)" }
    }

    static let pinned = [
        Pinned(view: .live, states: 9_303, edges: 96_370),
        Pinned(view: .time, states: 15_690, edges: 181_936),
        Pinned(view: .record, states: 19_696, edges: 241_788),
    ]

    @Test(
        "The product has the graph of its model, region by region, and keeps every promise (S6, S7, S8)",
        arguments: pinned)
    func graph(_ pinned: Pinned) throws {
        let world = CameraSessionsWorld(pinned.view)
        let graph = try Graph(world, limit: 100_000)
        #expect(graph.states.count == pinned.states && graph.edgeCount == pinned.edges)
        let golden = try Golden.digest("CameraSessions-\(pinned.view)")
        #expect(Golden.differences(Golden.digest(of: graph.lines(of: world)), golden) == "")
        for property in world.properties + world.cases {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
        }
    }

    @Test("Once nobody asks for anything all sessions end, and the camera is let go; without time neither comes (L9)")
    func liveness() throws {
        let world = CalmCameraSessions(.time)
        let graph = try Graph(world, limit: 100_000)
        for property in CalmCameraSessions.properties {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
            guard case .leadsTo(let p, let q, _) = property.question else { continue }
            #expect(graph.leadsTo(p, q, fairness: [CalmCameraSessions.mail]) != nil)
        }
    }
}
