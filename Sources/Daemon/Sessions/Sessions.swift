internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server
internal import ServiceLifecycle
internal import Synchronization

/// The sessions of all viewers (docs/design/session.md). Runs their machines one step at a time, on a queue of its own, so
/// that no viewer holds up a camera; what others are live is counted in the turn in which a request is handed over.
actor Sessions: Service {
    /// The most sessions of the site, also those that ended and are still known.
    static let siteMax = 1_024
    /// The most of one caller: more than one camera may have live, and than a wall of cameras needs.
    static let callerMax = 256
    /// How long a session that ended can be asked about, in milliseconds; less long where it is in the way of another.
    static let keptMs: Int64 = 60_000
    /// How many requests of one caller are taken in one go, and how many in a second after that: each is a step in the trace,
    /// which is bounded and is the cameras', too.
    static let requestsMax = 1_000.0
    static let requestsPerSecond = 10.0

    private struct Allowance {
        var left: Double
        var at: Instant
    }

    nonisolated let queue: any WorkQueue
    let pool: CameraPool
    let catalog: Catalog
    /// Where clips and their files are.
    let lookup: ClipLookup
    let steps: StepLog
    let host: any Host
    let journal: Journal
    /// The site's time zone; read each time, because a reload may change it.
    let zone: @Sendable () -> TimeZone
    nonisolated let published = Mutex<[String: Viewer.View]>([:])
    var viewers: [String: Viewer] = [:]
    /// Who talks, by cameras.
    var talks: [String: Talk] = [:]
    private var allowances: [String: Allowance] = [:]
    private var isDraining = false
    /// What is still being written down of what viewers recorded.
    var writing: [Task<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(
        lookup: ClipLookup, steps: StepLog, host: any Host, journal: Journal,
        zone: @escaping @Sendable () -> TimeZone
    ) {
        queue = host.queue("vigil.sessions")
        pool = lookup.pool
        catalog = lookup.catalog
        self.lookup = lookup
        self.steps = steps
        self.host = host
        self.journal = journal
        self.zone = zone
    }

    // MARK: From outside

    /// Opens a session of a camera, idle and not connected.
    func open(_ camera: CameraRuntime, by caller: Caller, isPlayer: Bool = false, wantsSound: Bool = false)
        throws(SiteError) -> Viewer.View
    {
        let owner = caller.account
        try allow(owner)
        guard !isDraining else {
            throw Self.refusal(camera.name, "the daemon is stopping", "open it when it runs again")
        }
        makeRoom(for: owner)
        guard viewers.count < Self.siteMax, viewers.values.count(where: { $0.owner == owner }) < Self.callerMax else {
            throw Self.refusal(
                camera.name,
                "there are \(viewers.count) sessions, \(Self.siteMax) in all or \(Self.callerMax) of one caller at most",
                "close those that are not needed; `vigil viewers` lists them")
        }
        let (now, id) = (host.clock.now(), Self.newID())
        let settings = camera.assignment.camera.viewers
        let intent = camera.actor.view.machine.intent
        let machine = Session(
            privacy: camera.shell.streams.isPrivate ?? (intent.privacy.hard || intent.privacy.softLive), at: now,
            bounds: Session.Bounds(durationMs: settings.durationMs, liveMax: settings.limit))
        func timer(_ fire: @escaping @Sendable (isolated Sessions, String) -> Void) -> () -> any WakeTimer {
            { [queue, weak self] in queue.timer { [weak self] in self?.assumeIsolated { fire($0, id) } } }
        }
        let viewer = Viewer(
            id: id, camera: camera.name, by: "\(caller)", owner: owner, isPlayer: isPlayer, machine: machine, now: now,
            timer: timer { $0.wake($1) }(), clipTimer: timer { $0.clipDue($1) },
            recordTimer: timer { $0.recordDue($1) })
        viewer.wantsSound = wantsSound
        viewers[id] = viewer
        journal.send(
            .sessionOpened, camera: camera.name, fields: [(.session, id), (.user, viewer.by)])
        // The first step says in the trace what the machine began with.
        step(viewer, .tick, at: now)
        return viewer.view
    }

    /// Asks something of a session; gives the session, and what was listed, when it is done or refused.
    func ask(_ id: String, _ request: Session.Request, by caller: Caller) async throws -> (Viewer.View, Viewer.Lists) {
        try allow(caller.account)
        guard let viewer = viewers[id] else { throw SiteError.unknownSession(id) }
        let now = due(viewer)
        if case .talk(true) = request { try checkTalk(viewer) }
        let effects = step(viewer, .request(counted(request, viewer)), at: now, by: "\(caller)")
        for case .refused(let step, let why) in effects { throw SiteError(step, why, of: viewer) }
        // To the machine this changes nothing, but another stream may be shown in the place of the wish.
        if case .definition(let wanted) = request, wanted == viewer.machine.definition,
            let picture = viewer.picture, picture.choose()
        {
            tellCarried(viewer, to: picture.shown, why: "the viewer has chosen it")
        }
        for case .order(let number, let order) in effects {
            let outcome = await withCheckedContinuation { continuation in
                viewer.waiting = Viewer.Waiting(order: number, continuation: continuation)
            }
            switch outcome {
            case .done(let lists): return (viewer.view, lists)
            case .failed(let why):
                throw SiteError(order.step, why, of: viewer, detail: order == .talkOn ? viewer.talkProblem : nil)
            case .givenUp: throw SiteError(order.step, viewer.machine.hasEnded ? .ended : .busy, of: viewer)
            }
        }
        return (viewer.view, Viewer.Lists())
    }

    /// Ends a session.
    func close(_ id: String, by user: String) throws(SiteError) -> Viewer.View {
        guard let viewer = viewers[id] else { throw SiteError.unknownSession(id) }
        if !viewer.machine.hasEnded { step(viewer, .close, at: due(viewer), by: user) }
        return viewer.view
    }

    /// A camera's picture may be seen, or by nobody and why: told in the step that changes it, taken after what came before.
    nonisolated func camera(_ camera: String, hidden why: StreamEnd?) {
        queue.run { self.assumeIsolated { $0.follow(camera, why) } }
    }

    /// Ends every session at a stop, and waits until what viewers recorded is protected.
    nonisolated func run() async throws {
        try? await gracefulShutdown()
        await drain()
    }

    /// Ends every session; none is opened any more.
    func drain() async {
        isDraining = true
        for viewer in viewers.values where !viewer.machine.hasEnded { step(viewer, .drain, at: due(viewer)) }
        while let task = writing.popLast() { await task.value }
    }

    /// What others may see.
    nonisolated var views: [Viewer.View] {
        published.withLock { Array($0.values) }.sorted {
            ($0.camera, $0.since, $0.id) < ($1.camera, $1.since, $1.id)
        }
    }

    /// One session; nil where there is none of this id.
    nonisolated func view(_ id: String) -> Viewer.View? { published.withLock { $0[id] } }

    // MARK: A step

    /// Takes a step, and carries out what it orders.
    @discardableResult
    func step(
        _ viewer: Viewer, _ event: Session.Event, at now: Instant, by user: String? = nil
    ) -> [Session.Effect] {
        let before = viewer.machine
        let effects = viewer.machine.step(event, at: now)
        viewer.seq += 1
        viewer.last = now
        if viewer.machine.phase != before.phase { viewer.since = now }
        steps.step(
            session: viewer.name, camera: viewer.camera, seq: viewer.seq, at: now, event: event,
            machine: viewer.machine, effects: effects, by: user)
        for effect in effects { perform(effect, viewer, at: now) }
        for effect in effects { tell(effect, of: event, viewer, at: now) }
        if !viewer.machine.isPlayback { setPlayback(viewer, nil, at: now) }
        settle(viewer, event, effects)
        setTimer(viewer)
        publish(viewer)
        return effects
    }

    private func setTimer(_ viewer: Viewer) {
        let now = host.clock.now()
        // A timer may fire a moment early.
        viewer.timer.set(afterMs: viewer.wakes(after: now).map { max($0 - now, 1) })
    }

    /// Shows others what became of it.
    func publish(_ viewer: Viewer) { published.withLock { $0[viewer.id] = viewer.view } }

    /// The instant for a step; what time has brought due is nobody's doing, and a step of its own.
    func due(_ viewer: Viewer) -> Instant {
        let now = max(host.clock.now(), viewer.last)
        if let due = viewer.machine.nextDeadline, due <= now { step(viewer, .tick, at: now) }
        return now
    }

    /// Gives whoever waits for an order what became of it.
    private func settle(_ viewer: Viewer, _ event: Session.Event, _ effects: [Session.Effect]) {
        guard let waiting = viewer.waiting, viewer.machine.ask?.number != waiting.order else { return }
        viewer.waiting = nil
        var outcome = Viewer.Outcome.givenUp
        if event == .did(waiting.order) { outcome = .done(viewer.lists) }
        for case .report(.failed(_, let why)) in effects { outcome = .failed(why) }
        viewer.lists = Viewer.Lists()
        waiting.continuation.resume(returning: outcome)
    }

    /// Its own timer: a deadline, a player that looks on, or the time after which nobody may ask about it.
    private func wake(_ id: String) {
        guard let viewer = viewers[id] else { return }
        guard viewer.machine.hasEnded, viewer.since + Self.keptMs <= host.clock.now() else {
            let now = due(viewer)
            if viewer.isProlonged(at: now) { step(viewer, .request(.extend), at: now, by: viewer.by) }
            return setTimer(viewer)
        }
        forget(viewer)
    }

    private func forget(_ viewer: Viewer) {
        viewers[viewer.id] = nil
        published.withLock { $0[viewer.id] = nil }
        steps.forget(session: viewer.name)
    }

    /// Forgets the session that ended first of those in the way of one more: who only can be asked about keeps nobody out.
    private func makeRoom(for owner: String) {
        let own = viewers.values.filter { $0.owner == owner }
        guard viewers.count >= Self.siteMax || own.count >= Self.callerMax else { return }
        let inTheWay = own.count >= Self.callerMax ? own : Array(viewers.values)
        if let first = inTheWay.filter(\.machine.hasEnded).min(by: { $0.since < $1.since }) { forget(first) }
    }

    /// A request with what only the shell knows: how many others are live.
    private func counted(_ request: Session.Request, _ viewer: Viewer) -> Session.Request {
        guard case .startPreview(let definition, _) = request else { return request }
        let others = viewers.values.count {
            $0 !== viewer && $0.camera == viewer.camera && $0.machine.isLive
        }
        return .startPreview(definition, others: others)
    }

    private func follow(_ camera: String, _ why: StreamEnd?) {
        for viewer in viewers.values where viewer.camera == camera && !viewer.machine.hasEnded {
            let now = due(viewer)
            if why == .draining {
                if viewer.machine.up || viewer.machine.ask != nil { lose(viewer) }
            } else if viewer.machine.privacy != (why == .privacy) {
                step(viewer, .privacy(why == .privacy), at: now)
            }
            beginEarly(viewer)
        }
    }

    /// The camera is gone from under a session. A player knows of no session that it could connect again, so its own ends.
    func lose(_ viewer: Viewer) {
        step(viewer, .connectionLost, at: due(viewer))
        if viewer.isPlayer, !viewer.machine.hasEnded { step(viewer, .close, at: due(viewer)) }
    }

    // MARK: Bounds

    private func allow(_ owner: String) throws(SiteError) {
        let now = host.clock.now()
        if allowances.count > Self.siteMax {
            allowances = allowances.filter {
                $0.value.left + Double(now - $0.value.at) / 1_000 * Self.requestsPerSecond < Self.requestsMax
            }
        }
        var allowance = allowances[owner] ?? Allowance(left: Self.requestsMax, at: now)
        let earned = Double(now - allowance.at) / 1_000 * Self.requestsPerSecond
        allowance = Allowance(left: min(Self.requestsMax, allowance.left + earned), at: now)
        defer { allowances[owner] = allowance }
        guard allowance.left >= 1 else {
            throw SiteError(
                .unavailable, what: "the request of a session",
                why: "more than \(Int(Self.requestsPerSecond)) requests in a second come from this caller",
                remedy: "ask less often")
        }
        allowance.left -= 1
    }

    /// An id that nobody can guess: 16 hexadecimal digits.
    static func newID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func refusal(_ camera: String, _ why: String, _ remedy: String) -> SiteError {
        SiteError(.unavailable, what: "a session of camera \(camera)", why: why, remedy: remedy)
    }
}
