import Foundation
import Journal
import MQTT
import Machines
import Server
import Synchronization
import Testing

@testable import Daemon

/// What a session does with pictures, without a broker.
@Suite("Pictures that are published by MQTT", .timeLimit(.minutes(5)))
struct MQTTSessionPictureTests {
    private static let topics = SiteTopics(base: "vigil")
    private static let jpeg: [UInt8] = [0xFF, 0xD8]

    /// A session of two cameras that describes none.
    private func session(
        picture: @escaping @Sendable (Int64) async -> MQTTSession.PictureResult = { _ in .never },
        still: @escaping @Sendable (String) async -> MQTTSession.PictureResult = { _ in .never }
    ) -> MQTTSession {
        let view = MQTTView(journal: Journal(JournalOptions(version: "test", output: .lines)), clock: MachineClock())
        view.begin("mqtt://127.0.0.1:1883")
        let session = MQTTSession(
            topics: Self.topics, discovery: nil, takesCommands: false, view: view, clock: MachineClock(),
            picture: picture, still: still, carryOut: { _ in })
        session.use(cameras: ["front", "yard"])
        return session
    }

    private func kept(_ topic: String, _ payload: [UInt8]) -> ApplicationMessage {
        ApplicationMessage(topic: topic, payload: payload, isRetained: true)
    }

    /// Takes everything that waits and is no picture.
    private func drain(_ session: MQTTSession) async {
        session.set([("z/mark", .bytes(Array(UUID().uuidString.utf8)))])
        while let message = await session.next(), message.topic != "z/mark" {}
    }

    @Test("What is at hand goes before pictures, and so does a picture that is to be gone")
    func order() {
        var topics = RetainedTopics()
        for number in 0..<50 { topics.set("p\(number)", .picture(.event(Int64(number)))) }
        topics.set("still", .picture(.still("front", 1)))
        topics.set("state", .bytes([1]))
        // Privacy covers the camera, and an event is deleted.
        topics.set("still", .bytes([]))
        topics.remove("p7")
        #expect(topics.waiting == 52)
        var order: [String] = []
        while let (topic, _) = topics.next() { order.append(topic) }
        #expect(order == ["state", "still", "p7"])
        order = []
        while let (topic, picture) = topics.nextPicture() {
            order.append(topic)
            #expect(topics.wanted[topic] == .picture(picture))
        }
        #expect(order == (0..<50).filter { $0 != 7 }.map { "p\($0)" } && topics.waiting == 0)
        // Each topic waits once, whatever it held meanwhile.
        for number in 2..<1_000 {
            topics.set("still", .picture(.still("front", Int64(number))))
            topics.set("still", .bytes([]))
        }
        #expect(topics.waiting == 1)
        topics.set("still", .picture(.still("front", 1_000)))
        #expect(topics.waiting == 1 && topics.next() == nil)
        #expect(topics.nextPicture()?.picture == .still("front", 1_000) && topics.nextPicture() == nil)
    }

    @Test("A picture is read when it is sent; one that cannot be read yet is tried again with the next state")
    func unread() async {
        let asked = Mutex(0)
        let session = session(picture: { _ in
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            return count > 1 ? .jpeg(Self.jpeg) : .later
        })
        await session.connected()
        await drain(session)
        let topic = "vigil/camera/front/picture"
        async let first = session.next()
        // That it cannot be read may not be noted yet.
        for _ in 0..<1_000_000 where asked.withLock({ $0 }) < 2 {
            session.set([(topic, .picture(.event(1)))], of: "front")
            await Task.yield()
        }
        if asked.withLock({ $0 }) < 2 { session.end() }
        #expect(await first == kept(topic, Self.jpeg))
        // Of a camera that is configured no more nothing is published.
        session.set([("vigil/camera/gone/state", .bytes([1]))], of: "gone")
        session.set([("z/mark", .bytes([1]))])
        #expect(await session.next() == kept("z/mark", [1]))
    }

    @Test("No state waits for a picture that takes long to read, nor does another camera's that is to be gone")
    func slow() async {
        let (gate, open) = AsyncStream.makeStream(of: Never.self)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let session = session(picture: { _ in
            ask.yield()
            for await _ in gate {}
            return .jpeg(Self.jpeg)
        })
        await session.connected()
        session.set([("vigil/camera/yard/still", .picture(.still("yard", 1)))], of: "yard")
        await drain(session)
        session.set([("vigil/camera/front/picture", .picture(.event(1)))], of: "front")
        session.set([("vigil/camera/yard/still", .bytes([]))], of: "yard")
        #expect(await session.next() == kept("vigil/camera/yard/still", []))
        async let next = session.next()
        for await _ in asked { break }
        session.set([("vigil/camera/yard/motion", .bytes([1]))], of: "yard")
        #expect(await next == kept("vigil/camera/yard/motion", [1]))
        open.finish()
        #expect(await session.next() == kept("vigil/camera/front/picture", Self.jpeg))
    }

    @Test(
        "A camera's picture that privacy covers while it is made is not sent; what takes the last one away is, with each connection"
    )
    func covered() async {
        let topic = "vigil/camera/front/still"
        let running = Mutex<MQTTSession?>(nil)
        let session = session(still: { _ in
            running.withLock { $0 }?.set([(topic, .bytes([]))], of: "front")
            return .jpeg(Self.jpeg)
        })
        await session.connected()
        session.set([(topic, .picture(.still("front", 1)))], of: "front")
        running.withLock { $0 = session }
        for _ in 0..<2 {
            var first: ApplicationMessage?
            while first?.topic != topic, let message = await session.next() { first = message }
            #expect(first == kept(topic, []))
            await session.connected()
        }
        running.withLock { $0 = nil }
    }

    @Test(
        "A camera's picture that was made before privacy is not sent once privacy holds, also before anybody has looked"
    )
    func coveredUnseen() async {
        let topic = "vigil/camera/front/still"
        let (asked, tell) = AsyncStream.makeStream(of: Void.self)
        let isShown = Mutex(false)
        let session = session(still: { _ in
            .jpeg(
                Self.jpeg,
                isShown: {
                    tell.yield()
                    return isShown.withLock { $0 }
                })
        })
        await session.connected()
        await drain(session)
        session.set([(topic, .picture(.still("front", 1)))], of: "front")
        async let first = session.next()
        // It is asked once it is due, and what waits is not sent: the next that goes is what takes it away.
        for await _ in asked { break }
        session.set([(topic, .bytes([]))], of: "front")
        #expect(await first == kept(topic, []))
        isShown.withLock { $0 = true }
        session.set([(topic, .picture(.still("front", 2)))], of: "front")
        #expect(await session.next() == kept(topic, Self.jpeg))
    }

    @Test("A session that leaves its broker empties the pictures of its cameras before it ends; else they stay")
    func ending() async {
        for isLeft in [true, false] {
            let session = session()
            await session.connected()
            session.end(emptying: isLeft)
            var last: [ApplicationMessage] = []
            while let message = await session.next() { last.append(message) }
            #expect(last.last == session.will)
            let pictures = ["front", "yard"].flatMap { ["vigil/camera/\($0)/picture", "vigil/camera/\($0)/still"] }
            #expect(last.dropLast().map(\.topic).sorted() == (isLeft ? pictures : []))
            #expect(last.dropLast().allSatisfy { $0.payload.isEmpty && $0.isRetained })
        }
    }

    // MARK: What is remembered

    private func place(_ host: String, _ topic: String, _ cameras: Set<String>) -> PublishedPlaces.Place {
        PublishedPlaces.Place(
            access: BrokerAccess(host: host, port: 1_883, isEncrypted: false, credential: "broker", version: "5"),
            topic: topic, cameras: cameras)
    }

    @Test("Of a broker, a name or a camera that is left it is remembered what is to be taken away, until it was")
    func places() throws {
        var places = PublishedPlaces()
        let first = place("a.lan", "vigil", ["front", "yard"])
        places.use(first)
        #expect(places.removals(besides: first).isEmpty)
        // Of a camera that is gone everything goes, with its state.
        let fewer = place("a.lan", "vigil", ["front"])
        places.use(fewer)
        let gone = places.removals(besides: fewer)
        #expect(gone.map(\.isWhole) == [true])
        #expect(Set(gone.flatMap(\.topics)) == Set(Self.topics.kept("yard")) && Self.topics.kept("yard").count == 9)
        // Another login is the same place.
        var other = fewer
        other.access.credential = nil
        places.use(other)
        #expect(places.removals(besides: other).count == 1 && places.places.map(\.access) == [other.access])
        // Another name, and another broker; the file has it over a restart.
        for now in [place("a.lan", "house", ["front"]), place("b.lan", "vigil", ["front"]), nil] {
            var copy = try JSONDecoder().decode(PublishedPlaces.self, from: JSONEncoder().encode(places))
            copy.use(now)
            let left = copy.removals(besides: now)
            #expect(left.map(\.isWhole) == [false])
            #expect(
                left.flatMap(\.topics)
                    == ["front", "yard"].flatMap { ["vigil/camera/\($0)/picture", "vigil/camera/\($0)/still"] })
            for removal in left { copy.forget(removal.place.cameras, at: removal.place) }
            #expect(copy.places == (now.map { [$0] } ?? []))
        }
        // A camera that is back is not taken away.
        places.use(first)
        #expect(places.removals(besides: first).isEmpty)
    }

    @Test("What is remembered is bounded: the oldest places and cameras that are gone are forgotten first")
    func bounded() {
        var places = PublishedPlaces()
        for number in 0..<100 { places.use(place("\(number).lan", "vigil", ["front"])) }
        #expect(places.places.map(\.access.host) == (84..<100).map { "\($0).lan" })
        let many = Set((0..<PublishedPlaces.camerasMax).map { "c\($0)" })
        places.use(place("99.lan", "vigil", many))
        let last = place("99.lan", "vigil", ["yard"])
        places.use(last)
        #expect(places.places.last?.cameras.count == PublishedPlaces.camerasMax)
        #expect(places.places.last?.cameras.contains("yard") == true)
    }

    @Test("A list of places that others may have written is set aside, and told")
    func aside() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let file = root + "/mqtt.json"
        #expect(
            FileManager.default.createFile(
                atPath: file, contents: Data("x".utf8), attributes: [.posixPermissions: 0o644]))
        let told = Mutex<[String]>([])
        let journal = Journal(JournalOptions(version: "test", output: .lines))
        journal.follow { record in
            if record.kind == .writeFailed { told.withLock { $0.append(record[.detail] ?? "") } }
        }
        let left = LeftTopics(root: root, journal: journal)
        await left.use(nil, [:], nil)
        await left.use(place("127.0.0.1", "vigil", ["front"]), [:], nil)
        #expect(try String(contentsOfFile: file + ".unreadable", encoding: .utf8) == "x")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("front"))
        #expect(told.withLock { $0.count == 1 && $0[0].hasSuffix("it is now \(file).unreadable") })
        await left.end()
    }
}
