import Explorer
import Machines
import Testing
import Worlds

@Suite("The upload machine in every world")
struct UploadGraphTests {
    @Test("Its graph is that of the model, edge by edge")
    func golden() throws {
        let world = UploadWorld()
        let graph = try Graph(world)
        let lines = Golden.digest(of: graph.lines(of: world))
        let differences = Golden.differences(lines, try Golden.digest("Upload"))
        #expect(differences == "")
        #expect(graph.states.count == 1_190)
        #expect(graph.edgeCount == 29_560)
        #expect(graph.depth.max() == 14)
    }

    @Test("The part of it that is small enough to read is that of the model, line by line")
    func story() throws {
        let world = UploadWorld(retries: 1, .story)
        let lines = try Graph(world).lines(of: world)
        #expect(Golden.differences(lines, try Golden.lines("Upload-story")) == "")
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
        #expect(graph.states.count == 2_698 && graph.edgeCount == 69_494)
    }

    @Test("A job that is left to run comes to its end, whatever the cloud answers")
    func live() throws {
        try check(UploadWorld.properties + UploadWorld.liveProperties, in: UploadWorld(.live))
    }

    @Test("In an outage, however long, the work goes on after each wait (L8)")
    func outage() throws {
        try check(UploadWorld.properties + UploadWorld.outageProperties, in: UploadWorld(.outage))
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
            .progressed(number, bytes: 1), .caughtUp(number), .discarded(number), .discardFailed(number, .final),
            .uploaded(number), .putFailed(number, .final), .acked(number), .ackFailed(number),
            .encodeStarted(number, Upload.EncoderJob("other")), .encodeRefused(number, .again),
            .polled(number, .failed), .pollFailed(number), .webhook(number, .finished),
        ]
    }

    static func fits(_ event: Upload.Event, _ number: Upload.OrderNumber, _ state: Upload.State) -> Bool {
        switch (event, state) {
        case (.progressed, .put(number, _, _)), (.caughtUp, .put(number, _, _)), (.uploaded, .put(number, _, _)),
            (.putFailed, .put(number, _, _)), (.discarded, .discard(number, _, _)),
            (.discardFailed, .discard(number, _, _)), (.acked, .ack(number, _)),
            (.ackFailed, .ack(number, _)), (.encodeStarted, .start(number, _)), (.encodeRefused, .start(number, _)),
            (.polled, .poll(number, _, _)), (.pollFailed, .poll(number, _, _)):
            true
        case (.webhook, _): state.encodeOrder == number
        default: false
        }
    }
}
