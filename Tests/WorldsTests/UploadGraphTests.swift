import Explorer
import Machines
import Testing
import Worlds

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

    /// Fails with the story of each property that does not hold.
    @discardableResult
    func check(_ properties: [Property<UploadWorld>], in world: UploadWorld) throws -> Graph<UploadWorld> {
        let graph = try Graph(world)
        for property in properties {
            let complaint = property.complaint(on: graph, of: world)
            #expect(complaint == nil)
        }
        return graph
    }

    @Test("Everything that is promised of it holds")
    func properties() throws {
        try check(UploadWorld.properties, in: UploadWorld())
    }

    @Test("Every case that the promises speak of happens")
    func antecedents() throws {
        try check(UploadWorld.antecedents, in: UploadWorld())
    }

    @Test("With longer bounds, which meet in other ways, the promises hold too")
    func larger() throws {
        let world = UploadWorld(retries: 4, put: 4, answer: 2, poll: 2, run: 7)
        let graph = try check(UploadWorld.properties, in: world)
        #expect(graph.states.count == 438 && graph.edgeCount == 8_824)
    }

    @Test("A job that is left to run comes to its end, whatever the cloud answers or does not answer")
    func live() throws {
        try check(UploadWorld.properties + UploadWorld.liveProperties, in: UploadWorld(live: true))
    }

    @Test("In every state an answer of another kind, or to another order, changes nothing")
    func strayAnswers() throws {
        for job in try Graph(UploadWorld()).states.map(\.job) {
            for raw in 0...job.orders + 2 {
                let number = Upload.OrderNumber(raw)
                let given = 1...job.orders ~= raw
                let why: Upload.Ignored = job.stopped ? .stopped : given ? .late : .unknown
                for event in Self.answers(number) where job.stopped || !Self.fits(event, number, job.state) {
                    var machine = job
                    #expect(machine.step(event, at: Instant(ms: 0)) == [.ignored(why)])
                    #expect(machine == job)
                }
            }
        }
    }

    static func answers(_ number: Upload.OrderNumber) -> [Upload.Event] {
        [
            .uploaded(number), .putFailed(number, .final), .acked(number), .ackFailed(number),
            .encodeStarted(number, Upload.EncoderJob("other")), .encodeRefused(number, .again),
            .polled(number, .failed), .pollFailed(number), .webhook(number, .finished),
        ]
    }

    static func fits(_ event: Upload.Event, _ number: Upload.OrderNumber, _ state: Upload.State) -> Bool {
        switch (event, state) {
        case (.uploaded, .put(number, _)), (.putFailed, .put(number, _)), (.acked, .ack(number, _)),
            (.ackFailed, .ack(number, _)), (.encodeStarted, .start(number, _)), (.encodeRefused, .start(number, _)),
            (.polled, .poll(number, _, _)), (.pollFailed, .poll(number, _, _)):
            true
        case (.webhook, _): state.encodeOrder == number
        default: false
        }
    }
}
