import Catalog
import Foundation
import Machines
import Policies
import Replay
import Synchronization
import Testing
import Trace

@testable import Daemon
@testable import Journal

/// The cloud subscriptions of a site with cameras `yard` and `door`, in a world whose time goes as it is told, with a real catalog,
/// trace and journal.
final class PlanHouse {
    static let day: Int64 = 86_400_000
    /// 2026-11-23T10:00:00Z
    static let beginMs: Int64 = 1_795_428_000_000

    let folder = NSTemporaryDirectory() + "vigil-plans-\(UUID().uuidString.prefix(8))"
    let world = PlanWorld(wallMs: PlanHouse.beginMs)
    let journal: Journal
    private(set) var catalog: Catalog
    private(set) var subscriptions: Subscriptions
    private(set) var run = TraceRun(id: RandomID().value, boot: RandomID().value, version: "test")
    private var writer: TraceWriter
    private let heard = Mutex<(allowed: [String], purged: [String])>(([], []))
    private var clips = 0

    /// A site that was started, with a service that is asked for plans, or `always`.
    init(_ subscription: String = "{ url: \"http://plans.test\", retention: 3d }", yard: String = "upload: all") throws
    {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder + "/log", contents: nil)
        // Never closed: the journal's own thread may write on, also after a test that fails, and the number would be another file's.
        let log = open(folder + "/log", O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(log >= 0)
        journal = Journal(
            JournalOptions(version: "test", output: .lines, linesPriorityMax: .debug, linesDescriptor: log))
        catalog = try Catalog(root: folder + "/data")
        (subscriptions, writer) = Self.make(catalog, folder, run, world, journal, heard: { _, _ in }, purged: { _ in })
        try restart(afterMs: 0, subscription, yard: yard, isFirst: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func make(
        _ catalog: Catalog, _ folder: String, _ run: TraceRun, _ world: PlanWorld, _ journal: Journal,
        heard: @escaping @Sendable (String, Bool) -> Void, purged: @escaping @Sendable (String) -> Void
    ) -> (Subscriptions, TraceWriter) {
        let writer = TraceWriter(
            root: folder + "/data", run: run, bounds: TraceLog.Bounds(keepMs: 10_000 * day, maxBytes: 1 << 30),
            syncMs: 1_000, ages: AgeClock(world, lastWallMs: nil), host: SystemHost(), journal: journal)
        let steps = StepLog(journal: journal, clock: world, writer: writer, isJournaled: false)
        return (
            Subscriptions(
                catalog: catalog, ages: AgeClock(world, lastWallMs: nil), steps: steps, host: world, journal: journal,
                onAllowed: heard, onPurged: purged),
            writer
        )
    }

    /// Stops, and starts again after a while, in another boot.
    func restart(
        afterMs ms: Int64, _ subscription: String = "{ url: \"http://plans.test\", retention: 3d }",
        yard: String = "upload: all", isFirst: Bool = false
    ) throws {
        if !isFirst { stop() }
        try catalog.close()
        if !isFirst {
            world.pass(ms)
            world.boot()
        }
        run = TraceRun(id: RandomID().value, boot: RandomID().value, version: "test")
        catalog = try Catalog(root: folder + "/data")
        heard.withLock { $0.allowed = [] }
        let heard = Heard(heard: self)
        (subscriptions, writer) = Self.make(
            catalog, folder, run, world, journal, heard: { heard.allowed($0, $1) }, purged: { heard.purged($0) })
        writer.start()
        try configure(subscription, yard: yard)
    }

    /// Hands on what the subscriptions say.
    private final class Heard: Sendable {
        private weak nonisolated(unsafe) var house: PlanHouse?
        init(heard house: PlanHouse) { self.house = house }
        func allowed(_ camera: String, _ isAllowed: Bool) {
            house?.heard.withLock { $0.allowed.append("\(camera) \(isAllowed ? "on" : "off")") }
        }
        func purged(_ camera: String) { house?.heard.withLock { $0.purged.append(camera) } }
    }

    /// Puts a configuration in force. `subscription` nil: no cloud, and nobody sends; `yard` nil: the camera is not there.
    func configure(
        _ subscription: String? = "{ url: \"http://plans.test\", retention: 3d }", yard: String? = "upload: all"
    ) throws {
        try "name: yard\ncloud: { \(subscription == nil ? "upload: none" : yard ?? "upload: none") }\n"
            .write(toFile: folder + "/policies/yard.yaml", atomically: true, encoding: .utf8)
        try "name: door\ncloud: { upload: \(subscription == nil ? "none" : "events") }\n"
            .write(toFile: folder + "/policies/door.yaml", atomically: true, encoding: .utf8)
        let cloud = subscription.map {
            "cloud: { store: { endpoint: \"http://127.0.0.1:9\", bucket: clips }, subscription: \($0) }"
        }
        try """
        http: { listen: none }
        policies: [ policies/ ]
        \(cloud ?? "")
        cameras:
          door: { main: "demo:", policy: door }
        \(yard == nil ? "" : "  yard: { main: \"demo:\", policy: yard }")

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        subscriptions.change(try ConfigurationLoader(examiner: nil).load(folder + "/vigil.yaml").result.get())
        world.pass(10)
    }

    /// Stops gracefully.
    func stop() {
        let subscriptions = subscriptions
        subscriptions.queue.run { subscriptions.assumeIsolated { $0.drain() } }
        world.pass(10)
        writer.stop()
    }

    /// The provider says this of yard from now on; of door, that it has no plan.
    func provider(_ yard: String, afterMs: Int64 = 100) {
        world.answering = .bytes(
            "{ \"account\": { \"plan\": \"none\" }, \"cameras\": { \"yard\": { \(yard) } } }", afterMs: afterMs)
    }

    /// The provider says that yard's plan is active until so many days after the begin, and is asked.
    func subscribe(days: Double, retentionDays: Int? = nil) {
        let retention = retentionDays.map { ", \"retentionDays\": \($0)" } ?? ""
        provider("\"plan\": \"active\", \"activeUntil\": \"\(Self.date(days))\"" + retention)
        subscriptions.refresh(camera: nil)
        world.pass(1_000)
    }

    /// The time so many days after the begin, as the protocol has it.
    static func date(_ days: Double) -> String {
        Date(timeIntervalSince1970: Double(beginMs) / 1_000 + days * 86_400).formatted(.iso8601)
    }

    /// Wall time so many days after the begin.
    static func ms(_ days: Double) -> Int64 { beginMs + Int64(days * Double(day)) }

    /// Lets time pass until so many days after the begin.
    func reach(_ days: Double) { world.pass(max(0, Self.ms(days) - world.wall)) }

    /// Enters clips of a camera into the cloud, and says so.
    @discardableResult
    func store(_ count: Int = 1, camera: String = "yard", endMs: Int64? = nil) throws -> [RemoteClipID] {
        let ids = try (0..<count).compactMap { _ in
            clips += 1
            let end = (endMs ?? world.wall) + Int64(clips)
            return try catalog.enterRemote(
                NewRemoteClip(
                    key: "clips/\(camera)/\(clips)", store: "store", camera: camera, startWallMs: end - 10_000,
                    endWallMs: end, cause: .continuous, mediaClass: .event, bytes: 1_000, url: "http://x/\(clips)",
                    verified: Verification(how: "crc32c", wallMs: end), description: Data("{}".utf8)))
        }
        subscriptions.storedChanged(camera)
        world.pass(10)
        return ids
    }

    /// What a camera has in the cloud.
    func stored(_ camera: String = "yard") throws -> Int64 {
        try catalog.remoteUsage().first { $0.camera == camera }?.clips ?? 0
    }

    /// What is seen of a camera.
    func view(_ camera: String = "yard") -> SubscribedCamera.View? { subscriptions.views.first { $0.camera == camera } }

    /// The state of yard.
    var state: Subscription.Report? { view()?.report }

    /// What the catalog keeps of a camera.
    func kept(_ camera: String = "yard") throws -> CloudSubscription? {
        try catalog.subscriptions().first { $0.camera == camera }
    }

    /// Whether uploads became allowed or not, since the last start: `yard on`.
    var allowed: [String] { heard.withLock { $0.allowed } }
    /// What yard was told last of this.
    var last: String? { allowed.last { $0.hasPrefix("yard") } }
    /// Whose clips were to go.
    var purged: [String] { heard.withLock { $0.purged } }

    /// The lines of the journal that hold all of these words.
    func lines(_ words: String...) -> [String] {
        journal.flush(timeoutMs: 120_000)
        let text = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).filter { line in words.allSatisfy(line.contains) }
    }

    /// Stops, and runs every subscription of the trace again: each step is as it was.
    func replays() throws -> Int {
        stop()
        var reader = TraceReader(
            try FolderRecords(TraceFolder(root: folder + "/data")), only: TraceQuery(kinds: [.subscription]))
        var plans = PlansReplay()
        var count = 0
        while let record = try reader.next() {
            count += 1
            plans.take(record)
        }
        for replay in plans.replays {
            #expect(replay.isClean && replay.agreed == replay.records, "\(replay.camera) \(replay.differences)")
            #expect(replay.machine?.isOver == true)
        }
        return count
    }
}
