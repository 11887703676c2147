import Explorer
import Foundation
import Machines
import Testing
import Worlds

@Suite("The camera machine, explored")
struct CameraGraphTests {
    /// A view and the size of its graph.
    struct Pinned: CustomStringConvertible, Sendable {
        let view: CameraConfiguration
        let states: Int
        let edges: Int
        let depth: Int
        var description: String { view.name }
    }

    static let pinned = [
        Pinned(view: .link, states: 503, edges: 5_935, depth: 21),
        Pinned(view: .linkFirst, states: 462, edges: 5_462, depth: 21),
        Pinned(view: .trigger, states: 194, edges: 2_134, depth: 12),
        Pinned(view: .event, states: 277, edges: 1_200, depth: 19),
        Pinned(view: .eventSchedule, states: 1_586, edges: 6_933, depth: 19),
        Pinned(view: .cont, states: 412, edges: 1_866, depth: 16),
        Pinned(view: .anew, states: 660, edges: 2_960, depth: 19),
        Pinned(view: .slow, states: 320, edges: 1_390, depth: 20),
        Pinned(view: .slowCont, states: 940, edges: 4_564, depth: 19),
        Pinned(view: .triggerFull, states: 1_223, edges: 20_791, depth: 16),
        Pinned(view: .linkFull, states: 7_455, edges: 227_152, depth: 24),
        Pinned(view: .product, states: 6_111, edges: 66_791, depth: 21),
    ]

    @Test("It has the graph of its model, edge by edge, and keeps every promise", arguments: pinned)
    func safety(_ pinned: Pinned) throws {
        let world = CameraWorld(pinned.view)
        let graph = try Graph(world, limit: 100_000)
        #expect(graph.states.count == pinned.states)
        #expect(graph.edgeCount == pinned.edges)
        #expect(graph.depth.max() == pinned.depth)
        let lines = graph.lines(of: world)
        let name = "Camera-\(pinned.view.golden)"
        if let golden = try? Golden.lines(name) {
            #expect(Golden.differences(lines, golden) == "")
        } else {
            #expect(try Golden.digest(of: lines) == Golden.digest(name))
        }
        for property in CameraProperties.safety(pinned.view) {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
        }
    }

    static let calm = [
        Pinned(view: .link, states: 3_035, edges: 10_647, depth: 23),
        Pinned(view: .trigger, states: 1_873, edges: 4_648, depth: 18),
        Pinned(view: .event, states: 1_774, edges: 3_940, depth: 21),
        Pinned(view: .cont, states: 2_174, edges: 5_570, depth: 17),
    ]

    @Test("After any history a calm world comes to what is promised", arguments: calm)
    func liveness(_ pinned: Pinned) throws {
        let world = CalmCamera(pinned.view)
        let graph = try Graph(world, limit: 100_000)
        #expect(graph.states.count == pinned.states)
        #expect(graph.edgeCount == pinned.edges)
        #expect(graph.depth.max() == pinned.depth)
        for property in CameraProperties.calm(pinned.view) {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
        }
    }

    @Test("What is promised of a calm world needs what it assumes, and in each of them time can go on", arguments: calm)
    func assumptions(_ pinned: Pinned) throws {
        let graph = try Graph(CalmCamera(pinned.view), limit: 100_000)
        let fairness = CameraProperties.fairness
        for calm in CalmCamera.Calm.allCases {
            #expect(graph.leadsTo({ $0.calm == calm }, { _ in false }, fairness: fairness) != nil, "\(calm)")
        }
        let recording: (CalmCamera.State) -> Bool = { $0.camera.recorder.clip != nil }
        let helped: (CalmCamera.State) -> Bool = { $0.calm == .help && !$0.camera.intent.draining }
        #expect(graph.leadsTo(helped, recording, fairness: fairness) == nil)
        #expect(graph.leadsTo(helped, recording, fairness: Array(fairness.prefix(1))) != nil, "without answers")
        // With link and recorder at rest, answers alone lead to recording.
        let needsTime = graph.leadsTo(helped, recording, fairness: Array(fairness.suffix(1))) != nil
        #expect(needsTime == (pinned.view.storage == .ok))
        let dead: (CalmCamera.State) -> Bool = { $0.calm == .dead && !$0.camera.intent.draining }
        #expect(graph.leadsTo(dead, recording, fairness: fairness) != nil, "a dead world does not record")
    }

    private func watch<Watcher: Bystander>(
        _ world: WatchedCamera<Watcher>, _ properties: [Property<WatchedCamera<Watcher>>]
    ) throws {
        let graph = try Graph(world, limit: 100_000)
        for property in properties {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
        }
    }

    @Test("Who counts the dials sees them become rarer (S16)")
    func dials() throws { try watch(WatchedCamera<DialWatcher>(.link), CameraProperties.dials) }

    @Test("Who watches a source sees it count, or hears once that it does not (S11)")
    func sources() throws { try watch(WatchedCamera<SourceWatcher>(.triggerFull), CameraProperties.sources) }

    @Test("Who times events finds none too long, and each command followed (S4)")
    func lengths() throws { try watch(WatchedCamera<EventWatcher>(.triggerFull), CameraProperties.lengths) }

    @Test("Who waits for the end of the blind time sees nothing count in it, and nothing told as blind outside (S5)")
    func blinds() throws { try watch(WatchedCamera<BlindWatcher>(.triggerFull), CameraProperties.blinds) }

    @Test("Who judges each step over a stretch of time finds nothing wrong", arguments: CameraConfiguration.judged)
    func judged(_ view: CameraConfiguration) throws {
        let world = JudgedCamera(view)
        let graph = try Graph(world, limit: 100_000)
        for property in JudgedCamera.properties(view) {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil, "\(complaint ?? "")")
        }
    }

    @Test("Who looks at the schedule sees no short clip before its change (S3)")
    func rests() throws { try watch(WatchedCamera<RestWatcher>(.schedule), CameraProperties.rests) }

    @Test("Who looks at the clips finds none that goes on in event mode without an event (S5)")
    func owners() throws { try watch(WatchedCamera<ClipWatcher>(.mixed), CameraProperties.owners) }

    @Test("Who looks at cuts without a key frame finds nothing lost that was wanted, and none that waits for ever (L3)")
    func cuts() throws { try watch(WatchedCamera<CutWatcher>(.mixed), CameraProperties.ends) }

    @Test("Who waits for the key frame that a clip lacked sees the clip ordered with it, and not before (L1)")
    func keyframes() throws { try watch(WatchedCamera<KeyFrameWatcher>(.mixed), CameraProperties.keyframes) }

    @Test(
        "Who looks at the dials finds the preferred endpoint first", arguments: [CameraConfiguration.link, .linkFirst])
    func endpoints(_ view: CameraConfiguration) throws {
        try watch(WatchedCamera<EndpointWatcher>(view), CameraProperties.endpoints)
    }

    @Test("The diagrams in the documents are those of the graphs", arguments: Diagram.all.map(\.name))
    func diagrams(name: String) throws {
        let diagram = try #require(Diagram.all.first { $0.name == name })
        let file = Golden.root.appending(path: diagram.document)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(
            text.contains(try diagram.section()),
            "\"explore diagram \(name)\" belongs between the marks in \(file.path)")
    }
}

extension CameraConfiguration {
    /// The golden graph's name.
    var golden: String { String(name.prefix { $0 != "." }) }
}
