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

    /// The machine of a session hears of it as an order of its viewer (docs/design/session.md "What passes between").
    @Test("Recording privacy, live privacy and hard privacy come in, each where it matters (S7)")
    func switches() throws {
        let switches: [(CameraSessionsView, Set<String>)] = [
            (.live, ["live(0)", "live(1)", "enabled(0)", "1:stopPreview"]),
            (.record, ["soft(0)", "soft(1)", "enabled(0)", "1:record(on)", "1:record(off)"]),
            (.time, ["hard(0)", "hard(1)", "enabled(0)", "1:extend"]),
        ]
        for (view, wanted) in switches {
            let world = CameraSessionsWorld(view)
            let graph = try Graph(world, limit: 100_000)
            let events = Set(graph.edges.joined().map { world.text(of: $0.action.event) })
            #expect(events.isSuperset(of: wanted), "\(view): \(wanted.subtracting(events))")
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
