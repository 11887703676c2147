import Catalog
import Foundation
import Journal
import Machines
import Policies
import Synchronization
import Testing

@testable import Daemon

/// A notifier with a catalog of its own and one receiver, a server of this tree; its clocks go as they are told.
final class TestNotifier {
    let catalog: Catalog
    let clock = SteppedClock()
    let journal = Journal(JournalOptions(version: "1", output: .lines, linesPriorityMax: .emergency))
    let notifier: Notifier
    let server: ServerOfTree
    private let root = NSTemporaryDirectory() + "vigil-notifier-\(UUID().uuidString.prefix(8))"
    private let heard = Heard()
    private var isLost = false

    /// What the journal told.
    private final class Heard: Sendable {
        let records = Mutex<[ToldMessage]>([])
    }

    /// A server that does what `says` says (Tests/cloud/receiver), and a notifier that knows no receiver yet.
    private init(says: String = "{}") async throws {
        server = try await ServerOfTree("cloud/receiver", [], says: says)
        catalog = try Catalog(root: root)
        let remote = RemoteClips(catalog: catalog, reader: StoreReader(cache: CloudCache(catalog: catalog) { 0 }))
        let pool = CameraPool()
        let lookup = ClipLookup(catalog: catalog, pool: pool, remote: remote)
        notifier = Notifier(
            catalog: catalog, snapshots: Snapshots(lookup, pool),
            problems: HeldProblems(following: journal, clock: clock), host: TestHost(clock: clock, dialler: nil),
            journal: journal)
        journal.follow { [heard] record in heard.records.withLock { $0.append(record) } }
    }

    /// Does something with one, and ends it whatever comes of that: a client of HTTP that is not ended ends the process.
    static func with(says: String = "{}", _ body: (TestNotifier) async throws -> Void) async throws {
        let house = try await TestNotifier(says: says)
        do { try await body(house) } catch {
            await house.end()
            throw error
        }
        await house.end()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    /// The receiver `phone` is the server from now on, with these keys more; nil: there is no receiver.
    func use(_ keys: String? = "", port: Int? = nil) throws {
        let url = "http://127.0.0.1:\(port ?? server.port)/hook"
        notifier.change(
            try Self.loaded(
                keys.map { "notify: { phone: { kind: webhook, url: \"\(url)\"\($0.isEmpty ? "" : ", " + $0) } }\n" }
                    ?? "timezone: UTC\n"))
    }

    /// The configuration that a file of this text is.
    static func loaded(_ text: String, policy: String? = nil) throws -> LoadedConfiguration {
        let folder = NSTemporaryDirectory() + "vigil-notify-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try policy?.write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try text.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        return try ConfigurationLoader(examiner: nil).load(folder + "/vigil.yaml").result.get()
    }

    /// Enters an event that `phone` is told of.
    @discardableResult
    func begin() throws -> EventID {
        let id = catalog.newEventID()
        let began = Moment(monotonicMs: clock.now().ms, wallMs: clock.wallMs())
        try catalog.beginEvent(
            id, NewEvent(camera: "front", bootID: "b", began: began, cause: "detection"),
            notifying: [NewNotification(receiver: "phone", .apart(0))])
        notifier.wake()
        return id
    }

    /// The receiver is told of an event and does not take it: an outage begins.
    func beginOutage() async throws {
        try use()
        try begin()
        try await wait("the outage") { !told(.receiverFailing).isEmpty }
    }

    /// What the journal told of this kind, in order.
    func told(_ kind: MessageKind) -> [ToldMessage] { heard.records.withLock { $0.filter { $0.kind == kind } } }

    /// What the server was sent and has begun to answer, in order: lines of JSON.
    var sent: [String] { server.printed }

    /// The ids of what the server was sent, in order.
    var ids: [String] {
        sent.compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["id"] as? String
        }
    }

    /// Changes the catalog's file beside the catalog.
    func database(_ sql: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=60).executescript(sys.argv[2])",
            root + "/" + Catalog.fileName, sql,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Waits for a fact with a far deadline.
    func wait(_ what: String, until holds: () async throws -> Bool) async throws {
        try await waitUntil(what, seen: { "\(heard.records.withLock { $0.map(\.text) })\n\(sent)" }, holds)
    }

    /// Nothing can be read or written from now on.
    func loseCatalog() throws {
        isLost = true
        try catalog.close()
    }

    private func end() async {
        await notifier.drain()
        if !isLost { try? catalog.close() }
        journal.close(timeoutMs: 1_000)
    }
}

/// A clock whose two times go as they are told, each by itself.
final class SteppedClock: Clocks {
    /// Milliseconds of the boot, and UTC epoch milliseconds.
    let times = Mutex<(monotonic: Int64, wall: Int64)>((1_000_000, 1_795_431_600_000))

    func now() -> Instant { Instant(ms: times.withLock { $0.monotonic }) }
    func wallMs() -> Int64 { times.withLock { $0.wall } }

    /// Both go on.
    func pass(ms: Int64) { times.withLock { $0 = ($0.monotonic + ms, $0.wall + ms) } }
}
