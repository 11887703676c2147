import Explorer
import Testing
import Worlds

@Suite("What the properties of the machines notice")
struct SurvivorTests {
    func check<M: World>(
        _ name: String, _ world: M, _ properties: [Property<M>], stride: Int = 1, asking: Int = 200
    ) throws {
        let mutants = TableMutants(of: try Graph(world), world, properties, stride: stride, asking: asking)
        let complaints = try Survivors(of: name).complaints(about: mutants)
        #expect(complaints.isEmpty, "\(name), model/survivors.md:\n\(complaints.joined(separator: "\n"))")
    }

    @Test("Of the camera", arguments: [CameraConfiguration.link, .trigger, .event, .cont])
    func camera(_ view: CameraConfiguration) throws {
        try check("Camera-\(view.name)", CameraWorld(view), CameraProperties.all(view))
    }

    @Test("Of the camera's product, a sample", arguments: [(CameraConfiguration.product, 20)])
    func product(_ view: CameraConfiguration, stride: Int) throws {
        try check("Camera-\(view.name)", CameraWorld(view), CameraProperties.all(view), stride: stride)
    }

    @Test("Of a session")
    func session() throws { try check("Session", SessionWorld(.all), SessionWorld.properties) }

    @Test("Of a subscription")
    func subscription() throws { try check("Subscription", SubscriptionWorld(), SubscriptionWorld.properties) }

    @Test("Of a transport")
    func transport() throws { try check("Transport", TransportWorld(), TransportWorld().properties) }

    @Test("Of an upload")
    func upload() throws { try check("Upload", UploadWorld(), UploadWorld.properties) }

    /// The questions about steps that kill no mutant at all.
    func toothless<M: World>(_ world: M, _ properties: [Property<M>], stride: Int) throws -> Set<String> {
        let mutants = TableMutants(of: try Graph(world), world, properties, stride: stride, asking: 0, each: true)
        return Set(
            properties.compactMap { property in
                if case .steps = property.question, mutants.kills[property.name] == nil { property.name } else { nil }
            })
    }

    @Test("Each promise about steps kills a mutant in some world")
    func teeth() throws {
        let camera = try [CameraConfiguration.link, .trigger, .event, .cont].map { view in
            try toothless(CameraWorld(view), CameraProperties.all(view), stride: 5)
        }
        let session = try toothless(SessionWorld(.all), SessionWorld.properties, stride: 5)
        // Its states have 9 or 15 events: every third step would always be one of the same few.
        let subscription = try toothless(SubscriptionWorld(), SubscriptionWorld.properties, stride: 1)
        let upload = try toothless(UploadWorld(), UploadWorld.properties, stride: 3)
        let transport = try toothless(TransportWorld(), TransportWorld().properties, stride: 1)
        // Those that are named forbid orders that no step from the same state gives, or speak of facts that only larger views have,
        // so no mutant here has them. Mutants of the source (model/mutants) show that they notice something.
        #expect(
            camera.dropFirst().reduce(camera[0]) { $0.intersection($1) } == [
                "S9 only a clip that was never open fails to open",
                "T8 a detection in none of the policy's zones is not noted for an event",
            ])
        #expect(
            session == [
                "Session a start of one stops the other first",
                "Session playback needs a fresh list and a playTime in [start, stop)",
            ])
        #expect(subscription == ["S10 uploads are stopped before what is stored is purged"])
        #expect(
            upload == [
                "S15 what counts is never sent again", "S17 no notice has the number of one that may be durable",
            ])
        #expect(transport.isEmpty)
    }

    /// Notes which promises about what must come are broken by some mutant; those already noted are not asked again.
    func note<M: World>(
        _ world: M, _ properties: [Property<M>], _ broken: inout [String: Bool], stride: Int = 7
    ) throws {
        let graph = try Graph(world)
        for property in properties where broken[property.name] != true {
            guard case .leadsTo = property.question else { continue }
            let mutants = TableMutants(of: graph, world, [property], stride: stride, asking: stride == 1 ? 120 : 30)
            broken[property.name] = mutants.kills[property.name] != nil
        }
    }

    @Test("Each promise about what must come is broken by a mutant in some world")
    func liveness() throws {
        var broken: [String: Bool] = [:]
        for view in [CameraConfiguration.trigger, .link, .event, .cont] {
            try note(CalmCamera(view), CameraProperties.calm(view), &broken)
        }
        let session = SessionWorld(.all)
        let states = try Graph(session).states
        try note(SessionWorld(.calm, from: states, of: session), SessionWorld.calmProperties, &broken)
        try note(SessionWorld(.withoutExtension), SessionWorld.unextendedProperties, &broken)
        try note(SubscriptionWorld(), SubscriptionWorld.properties, &broken)
        try note(SubscriptionWorld(steady: true), SubscriptionWorld.steadyProperties, &broken)
        try note(UploadWorld(.live), UploadWorld.liveProperties, &broken, stride: 1)
        try note(UploadWorld(.outage), UploadWorld.outageProperties, &broken, stride: 1)
        let calm = TransportWorld(isCalm: true)
        try note(calm, calm.calmProperties, &broken, stride: 1)
        let steady = SubscriptionUploadsWorld(steady: true)
        try note(steady, SubscriptionUploadsWorld.steadyProperties, &broken, stride: 1)
        #expect(broken.count > 12)
        #expect(broken.filter { !$0.value }.keys.sorted() == [])
    }

    @Test("A pattern matches what it says")
    func patterns() {
        #expect(Survivors.matches("drop x | a | b/c", "drop x | a | b/c"))
        #expect(Survivors.matches("drop x | a | b/c", "drop * | a | *"))
        #expect(Survivors.matches("drop x | a | b/c", "*c"))
        #expect(!Survivors.matches("drop x | a | b/c", "drop * | b | *"))
        #expect(!Survivors.matches("drop x | a | b/c", "drop x | a | b/"))
        #expect(!Survivors.matches("drop x | a | b/c", "ignore*"))
    }
}
