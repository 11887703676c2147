import Catalog
import Foundation
import Machines
import Policies
import Server
import Testing
import Trace

@testable import Daemon
@testable import Journal

/// The parts of a daemon in this process, with demo cameras that are really dialled and recorded, its trace and its journal.
final class ViewerHouse: Sendable {
    let folder = NSTemporaryDirectory() + "vigil-viewers-\(UUID().uuidString.prefix(8))"
    let running: RunningSite
    let journal: Journal
    /// What its journal has told of problems.
    let problems: HeldProblems
    let run = TraceRun(id: RandomID().value, boot: RandomID().value, version: "test")

    /// Cameras `front` and `back`, the first with two streams; `site` is the configuration beside them, `mode` that of their policy.
    /// Without `detection` nothing that moves is noticed. `sub` is the address of the second stream.
    init(
        site: String = "", mode: String = "continuous", detection: Bool = true, sub: String = "demo:"
    ) throws {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: \(mode), preRoll: 2s, clipLength: 10s }\n"
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        let file = folder + "/vigil.yaml"
        try """
        http: { listen: none }
        timezone: \(Self.zone.identifier)
        policies: [ policies/ ]
        \(site)
        cameras:
          front: { main: "demo:", sub: "\(sub)", policy: all, detection: \(detection ? "auto" : "off") }
          back: { main: "demo:", policy: all }

        """.write(toFile: file, atomically: true, encoding: .utf8)
        _ = FileManager.default.createFile(atPath: folder + "/log", contents: nil)
        // Never closed: the journal's own thread may write on, also after a test that fails, and the number would be another file's.
        let log = open(folder + "/log", O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(log >= 0)
        let journal = Journal(
            JournalOptions(
                version: "test", output: .lines, linesPriorityMax: .debug, linesDescriptor: log))
        self.journal = journal
        problems = HeldProblems(following: journal, clock: SystemHost().clock)
        let configuration = try ConfigurationService(path: nil, journal: journal) { _ in
            ConfigurationLoader(examiner: nil).load(file)
        }
        running = try RunningSite(
            configuration: configuration, root: folder + "/data", bootID: run.boot, run: run,
            problems: problems, host: SystemHost(), journal: journal)
        _ = running.start()
    }

    var sessions: Sessions { running.sessions }

    /// A caller of user `uid`.
    static func caller(_ uid: UInt32 = 1_000) -> Caller { Caller(uid: uid, gid: 1_000, pid: 7) }

    /// What the journal was told so far.
    var told: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

    /// A camera that runs.
    func camera(_ name: String = "front") throws -> CameraRuntime { try #require(running.pool.camera(name)) }

    /// A session of a camera, connected.
    func connected(_ name: String = "front", uid: UInt32 = 1_000) async throws -> String {
        let id = try await sessions.open(camera(name), by: Self.caller(uid)).id
        #expect(try await ask(id, .connect).machine.up)
        return id
    }

    /// Asks a session.
    @discardableResult
    func ask(_ id: String, _ request: Session.Request) async throws -> Viewer.View {
        try await sessions.ask(id, request, by: Self.caller()).0
    }

    /// The step and reason with which a request is refused; nil where it is not.
    func refusal(_ id: String, _ request: Session.Request) async throws -> String? {
        do {
            try await ask(id, request)
            return nil
        } catch let error as SiteError {
            return "\(error.step ?? "") \(error.reason ?? error.why)"
        }
    }

    /// Turns switches of a camera, and waits until its machine has taken them.
    func turn(_ values: [CameraOverride.Key: Bool], _ name: String = "front") async throws {
        for reply in try camera(name).turn(values, by: "test") { _ = await reply.answer(withinMs: 60_000) }
    }

    /// Waits for a fact with a far deadline.
    func wait(_ what: String, until holds: () async throws -> Bool) async throws {
        try await waitUntil(what, seen: { String(told.suffix(3_000)) }, holds)
    }

    /// Ends everything in the order of a stop; gives the steps of the sessions.
    func end() async throws -> [TraceRecord] {
        await sessions.drain()
        running.pool.drain()
        for camera in running.pool.all { await camera.actor.stopped() }
        try running.close()
        var reader = TraceReader(
            try FolderRecords(TraceFolder(root: folder + "/data")), only: TraceQuery(kinds: [.session]))
        let records = try reader.readAll()
        try FileManager.default.removeItem(atPath: folder)
        return records
    }
}
