import Catalog
import Foundation
import Journal
import Machines
import Media
import Policies
import Provider
import Synchronization
import Webhook

@testable import Daemon

/// A camera with all its parts on this machine's queues, threads and disk. Nothing can be dialled, and its clock goes as it is told;
/// no timer of its queue fires.
final class TestCamera: Sendable {
    /// A record of the journal.
    struct Line: Sendable {
        let kind: MessageKind
        let fields: [Field: String]
    }

    let catalog: Catalog
    let actor: CameraActor
    let shell: CameraShell
    private let root: String
    private let lines: Lines
    private let clock: ManualClock

    /// The dials of its site.
    let dials = OpenDials()

    /// A camera that has stepped for the first time. `host`: who makes its dials, where they are not this machine's; then it
    /// has an address.
    init(
        policy: Policy = Policy(mode: .event), zones: [String] = [], dialler: Dialler? = nil,
        notifications: NotificationChoices = NotificationChoices()
    ) throws {
        root = NSTemporaryDirectory() + "vigil-camera-\(UUID().uuidString.prefix(8))"
        let (lines, clock) = (Lines(), ManualClock())
        let journal = Journal { observed in
            guard case .record(let kind, _, let fields) = observed else { return }
            lines.all.withLock { $0.append(Line(kind: kind, fields: .init(fields, uniquingKeysWith: { $1 }))) }
        }
        let host = TestHost(clock: clock, dialler: dialler)
        let endpoints: [Endpoint] = dialler == nil ? [] : [.lan, .internet]
        let sources = Dictionary(uniqueKeysWithValues: endpoints.map { ($0, InputSource.file(path: "none")) })
        catalog = try Catalog(root: root)
        let storage = ClipStorage(
            catalog: catalog, bootID: "boot", syncMs: 1_000, uploads: UploadChoices(keys: ClipKeys()),
            notifications: notifications, live: LiveClips(), host: host,
            journal: journal, onFailure: { _ in }, onClosed: {})
        let queue = TimelessQueue(host.queue("test.camera"))
        let inbox = CameraInbox(clock: clock, queue: queue)
        let streams = CameraStreams(
            camera: "front", settings: Substream.Settings(), dials: dials, host: host, journal: journal, inbox: inbox)
        shell = CameraShell(
            camera: "front",
            settings: CameraShell.Settings(
                sources: sources, addresses: [:], policy: RecordedPolicy(name: "p", revision: "1", mode: policy.mode)),
            tap: RingTap(
                ring: PacketRing(bounds: PacketRing.Bounds(bytes: 1 << 20, ms: 5_000), isKeeping: false),
                sound: RecordedSound()), storage: storage,
            dials: dials, host: host, journal: journal, inbox: inbox,
            ledger: CoverageLedger(
                clips: storage, ages: AgeClock(host.clock, lastWallMs: nil), host: host, journal: journal
            ).line(of: "front"),
            streams: streams,
            detector: CameraDetector(
                camera: "front", settings: CameraDetector.Settings(detection: .off, zones: MotionZones()),
                substream: streams.substream, host: host, journal: journal, inbox: inbox),
            transports: TransportFeed(camera: "front") { _, _, _ in })
        shell.events.name(zones: zones)
        actor = CameraActor(
            name: "front", intent: Intent(policy: policy), timing: Timing(seed: 1), shell: shell, inbox: inbox,
            journal: journal, steps: StepLog(journal: journal, clock: clock, writer: nil, isJournaled: false),
            clock: clock, queue: queue)
        self.lines = lines
        self.clock = clock
        actor.start()
    }

    deinit {
        try? catalog.close()
        try? FileManager.default.removeItem(atPath: root)
    }

    var inbox: CameraInbox { actor.inbox }

    /// What was told of this kind, in order.
    func told(_ kind: MessageKind) -> [[Field: String]] {
        lines.all.withLock { $0.filter { $0.kind == kind }.map(\.fields) }
    }

    /// Lets time pass; nothing is told of it.
    func pass(ms: Int64) { clock.ms.withLock { $0 += ms } }

    /// Now, by its clock.
    var now: Instant { clock.now() }

    /// A dial is answered, and a key frame comes.
    func begin(_ dial: Dialler.Held, _ frames: inout TestFrames) async throws {
        dial.dialed([TestFrames.track])
        await settled()
        pass(ms: 10)
        dial.frame(try frames.next(at: now))
        await settled()
    }

    /// Waits until all rows that were ordered are entered.
    func settle() { shell.recorder.queue.runAndWait {} }

    /// Waits until everything that was told and ordered by now is done, and what follows from it.
    func settled() async {
        for _ in 0..<3 {
            _ = await inbox.ask(.tick, by: "test")
            settle()
        }
    }

    private final class Lines: Sendable { let all = Mutex<[Line]>([]) }
}

/// Makes dials that do nothing by themselves, and keeps them.
final class Dialler: Sendable {
    /// A dial that ends when the test says so, whether it was stopped or not.
    final class Held: Dial {
        private let sink: any InputSink
        private let isAsked = Mutex(false)

        init(_ sink: any InputSink) { self.sink = sink }

        /// Whether what it reads is to be handed over as it comes.
        var wantsPromptFrames: Bool { sink.wantsPromptFrames }
        /// Whether it was asked to end.
        var isStopped: Bool { isAsked.withLock { $0 } }

        func start() {}
        func stop() { isAsked.withLock { $0 = true } }
        /// The camera has said what it offers.
        func dialed(_ streams: [StreamDescription] = []) { sink.dialed(streams) }
        /// A frame has come.
        func frame(_ frame: Frame) { sink.frame(frame) }
        /// Its thread is over.
        func end(_ end: InputEnd = .stopped) { sink.ended(end, counts: InputCounts()) }
    }

    private let made = Mutex<[Held]>([])

    /// The dials so far, the latest last.
    var dials: [Held] { made.withLock { $0 } }

    func dial(_ sink: any InputSink) -> any Dial {
        let held = Held(sink)
        made.withLock { $0.append(held) }
        return held
    }
}

/// A clock that stands until it is moved.
final class ManualClock: Clocks {
    let ms = Mutex<Int64>(1_000_000)

    func now() -> Instant { Instant(ms: ms.withLock { $0 }) }
    func wallMs() -> Int64 { 1_700_000_000_000 + ms.withLock { $0 } }
}

/// A queue of this machine on which no time passes by itself: its timers are set and never fire.
final class TimelessQueue: WorkQueue {
    private struct Unfired: WakeTimer { func set(afterMs: Int64?) {} }

    private let base: any WorkQueue

    init(_ base: any WorkQueue) { self.base = base }

    func run(_ work: @escaping @Sendable () -> Void) { base.run(work) }
    func runAndWait(_ work: () -> Void) { base.runAndWait(work) }
    func timer(_ fire: @escaping @Sendable () -> Void) -> any WakeTimer { Unfired() }
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
    func checkIsolated() { base.checkIsolated() }
}

/// This machine with another clock.
struct TestHost: Daemon.Host {
    let clock: any Clocks
    let motionPool: MotionPool? = nil
    private let system = SystemHost()
    private let dialler: Dialler?

    init(clock: any Clocks, dialler: Dialler?) {
        self.clock = clock
        self.dialler = dialler
    }

    func queue(_ label: String) -> any WorkQueue { system.queue(label) }
    func dial(_ camera: String, _ source: InputSource, to sink: any InputSink) -> any Dial {
        dialler?.dial(sink) ?? system.dial(camera, source, to: sink)
    }
    func volume(_ root: String) -> any Volume { system.volume(root) }
    func disk<Result>(_ step: DiskStep, _ path: String, _ work: () throws -> Result) throws -> Result {
        try system.disk(step, path, work)
    }
    func plans(
        _ request: PlanRequest, _ answer: @escaping @Sendable (Result<[UInt8], PlanFailure>) -> Void
    ) -> any PlanCall { system.plans(request, answer) }
    /// It waits longer than the daemon's: on a busy machine a receiver may be late.
    func webhook(_ url: String) -> any WebhookSender { WebhookClient(url: url, timeoutMs: 180_000) }
    func clipToken() -> String? { nil }
}
