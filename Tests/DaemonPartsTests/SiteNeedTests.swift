import Foundation
import Media
import Policies
import Testing

@testable import Daemon

@Suite("What a site needs of its machine (H1)")
struct SiteNeedTests {
    private static let store = "store: { endpoint: \"https://s3.example.org\", bucket: clips }"

    /// The need of a site of these cameras; `camera`: more lines of each, `more`: of the file.
    private func site(
        _ names: [String] = ["a"], camera: String = "", more: String = "", policy: String = ""
    ) throws -> SiteNeed {
        let cameras = names.map { "  \($0):\n    main: rtsp://10.0.0.1/a\n    policy: p\n" + camera }.joined()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vigil-need-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let policies = folder.appendingPathComponent("policies")
        try FileManager.default.createDirectory(at: policies, withIntermediateDirectories: true)
        try Data(("name: p\n" + policy).utf8).write(to: policies.appendingPathComponent("p.yaml"))
        let file = folder.appendingPathComponent("vigil.yaml")
        try Data(("cameras:\n" + cameras + more).utf8).write(to: file)
        let loaded = try ConfigurationLoader(examiner: nil).load(file.path).result.get()
        return SiteNeed(loaded.configuration, policies: loaded.policies.values)
    }

    private func part(_ name: String, of need: SiteNeed) -> SiteNeed.Amount? {
        need.parts.first { $0.name == name }?.need
    }

    @Test("A camera needs its ring and streams, and a decoder where it is looked at")
    func cameras() throws {
        let (one, two) = (try site(), try site(["a", "b"]))
        #expect(two.cameras.map(\.name) == ["a", "b"])
        #expect(one.cameras[0].need.memoryBytes > SiteBuilder.ringBytes)
        let unseen = try site(camera: "    detection: off\n")
        #expect(unseen.total.memoryBytes < one.total.memoryBytes)
        let both = try site(camera: "    sub: rtsp://10.0.0.1/b\n")
        // A second stream is a second dial, and there are no others.
        #expect(both.total.threads == one.total.threads + InputLimits.threadsMax)
        #expect(both.total.files == one.total.files + InputLimits.descriptorsMax)
    }

    @Test("The parts and the cameras are all that there is in the sum, and the limits are the sum")
    func sum() throws {
        let need = try site(["a", "b"], more: "cloud: { \(Self.store) }\n")
        let all = (need.cameras + need.parts).map(\.need)
        #expect(need.total.memoryBytes == all.reduce(0) { $0 + $1.memoryBytes })
        #expect(need.total.threads == all.reduce(0) { $0 + $1.threads })
        #expect(need.total.files == all.reduce(0) { $0 + $1.files })
        // The mebibytes hold the sum, and no whole one is too many.
        let mebibytes = try #require(need.unitLines.first?.wholeMatch(of: /MemoryMax=(\d+)M/).flatMap { Int($0.1) })
        #expect(mebibytes << 20 >= need.total.memoryBytes && (mebibytes - 1) << 20 < need.total.memoryBytes)
        #expect(
            need.unitLines.dropFirst() == [
                "TasksMax=\(need.total.threads)", "LimitNOFILE=\(need.total.files)",
            ])
    }

    @Test("Viewers need their queues, as many as may look, and no more than there are places")
    func viewers() throws {
        let few = try #require(part("viewers", of: try site(more: "viewers: { limit: 2 }\n")))
        let more = try #require(part("viewers", of: try site(more: "viewers: { limit: 12 }\n")))
        #expect(more.memoryBytes - few.memoryBytes == 10 * CameraStream.viewerBytes)
        #expect(few.memoryBytes > FrameReaders.memoryBytes && few.threads > FrameReaders.threads)
        let many = (1...40).map { "c\($0)" }
        let most = try #require(part("viewers", of: try site(many, more: "viewers: { limit: 100 }\n")))
        #expect(most == part("viewers", of: try site(many, more: "viewers: { limit: 200 }\n")))
    }

    @Test("Descriptors are those of every connection that listeners take")
    func connections() throws {
        let without = try site(more: "http: { listen: none }\n")
        let with = try site(more: "http: { listen: 127.0.0.1:8080 }\n")
        #expect(with.total.files - without.total.files >= 500)
    }

    @Test("Playback needs its movies, threads and decoders")
    func playback() throws {
        let need = try #require(part("playback", of: try site()))
        #expect(need.memoryBytes > Movies.bytesMax + 3 * DecoderNeed.bytesMax)
        #expect(need.threads == 13 && need.files > 100)
    }

    @Test(
        "Transports that push need what waits, and each what it cuts and puts: one of a camera, and those that are gone"
    )
    func pushers() throws {
        let name = "transports that push"
        let one = try #require(part(name, of: try site()))
        let two = try #require(part(name, of: try site(["a", "b"])))
        let each = 3 * SegmentMaker.bytesMax
        // That of a camera, and those that are gone.
        #expect(one.memoryBytes == 128 << 20 + 17 * each && one.threads == 17 && one.files == 17)
        #expect(two.memoryBytes - one.memoryBytes == each && two.threads == 18 && two.files == 18)
        // Where there are many, what each may have at least is more than what they share.
        let (less, more) = (try site((0..<112).map { "c\($0)" }), try site((0..<113).map { "c\($0)" }))
        let (few, many) = (try #require(part(name, of: less)), try #require(part(name, of: more)))
        #expect(many.memoryBytes - few.memoryBytes == each + 1 << 20)
    }

    @Test("Each transfer needs three pieces and two fragments, a file and connections; without a cloud none is there")
    func uploads() throws {
        let none = try site()
        #expect(part("uploads", of: none) == nil && part("cache of the cloud", of: none) == nil)
        let two = try #require(part("uploads", of: try site(more: "cloud: { \(Self.store), parallel: 2 }\n")))
        let nine = try #require(part("uploads", of: try site(more: "cloud: { \(Self.store), parallel: 9 }\n")))
        #expect(nine.memoryBytes - two.memoryBytes == 7 * (3 * 512 << 10 + 2 * ClipPace.chunkBytes))
        #expect(nine.files - two.files == 7 * 3 && nine.threads == two.threads && two.threads > 0)
    }

    @Test("Ranges of the cloud that are read, or wait to be, are counted")
    func cache() throws {
        let need = try #require(part("cache of the cloud", of: try site(more: "cloud: { \(Self.store) }\n")))
        #expect(need.memoryBytes == 80 * 256 << 10 && need.threads == 16)
    }

    @Test(
        "The local encoder is counted where a policy wants copies and nobody else makes them, in the sizes that take most"
    )
    func encoder() throws {
        let cloud = "cloud: { \(Self.store) }\n"
        let encoding = { (name: String) in "cloud: { upload: events, encode: \(name) }\n" }
        #expect(part("encoder", of: try site(more: cloud)) == nil)
        let small = try #require(part("encoder", of: try site(more: cloud, policy: encoding("small"))))
        let ladder = try #require(part("encoder", of: try site(more: cloud, policy: encoding("ladder"))))
        #expect(small.memoryBytes > DecoderNeed.bytesMax && ladder.memoryBytes > small.memoryBytes + 200 << 20)
        #expect(ladder.files == small.files + 2 && ladder.threads == 1)
        let remote =
            "cloud: { \(Self.store), encoder: { url: \"https://e.example.org\", credential: e } }\n"
            + "credentials: { e: { env: E } }\n"
        #expect(part("encoder", of: try site(more: remote, policy: encoding("ladder"))) == nil)
    }

    @Test("The webhook's messages are counted where there is a receiver")
    func webhook() throws {
        let more = "cloud: { \(Self.store), webhook: { url: \"https://w.example.org\" } }\n"
        let need = try #require(part("webhook", of: try site(more: more)))
        #expect(
            need.files == WebhookGate.parallel && need.memoryBytes == WebhookGate.parallel * WebhookGate.messageBytes)
        #expect(part("webhook", of: try site(more: "cloud: { \(Self.store) }\n")) == nil)
    }

    @Test("Each receiver of notifications needs its longest message, and all together the pictures that are kept")
    func notifications() throws {
        func need(_ count: Int) throws -> SiteNeed.Amount? {
            let names = (0..<count).map { "r\($0): { kind: ntfy, url: \"https://n.example.org/t\", problems: 5m }" }
            return part("notifications", of: try site(more: "notify: { \(names.joined(separator: ", ")) }\n"))
        }
        let (one, two) = (try #require(try need(1)), try #require(try need(2)))
        #expect(try need(0) == nil)
        #expect(two.memoryBytes - one.memoryBytes == Notifier.messageBytes && one.files == 1 && two.files == 2)
        #expect(one.memoryBytes - Notifier.messageBytes == MessagePictures.keptMax * MessagePictures.bytesMax)
        // The longest body that a template makes, and its picture in it.
        let body = NotificationValues.bodyBytesMax + 4 * MessagePictures.bytesMax / 3
        #expect(Notifier.messageBytes > 3 * body)
    }
}
