internal import Catalog
internal import Dispatch
internal import Journal
internal import Machines
internal import Server
internal import Synchronization

/// The transports of all cameras (docs/design/transports.md): keeps them, steps their machines with what their cameras notice,
/// enters what they record, and says what the cameras are to keep for them.
///
/// `@unchecked Sendable`: everything mutable is confined to `queue`, but for `onDemand`, which is set once before anything runs.
final class Transports: @unchecked Sendable {
    /// One camera.
    private struct Site {
        let feed: TransportFeed
        var zones: [String]
        var transports: [Int: RunningTransport] = [:]
        var demand = TransportDemand()
    }

    /// The most transports of one camera.
    static let most = 16
    /// How long a stop waits for the last steps, in milliseconds.
    private static let stopMs = 2_000
    /// Why one records that a doorbell triggers.
    static let doorbellPressed = "doorbellPressed"

    let catalog: Catalog
    /// Who brings what they record to their addresses.
    let pushers: TransportPushers
    let steps: StepLog
    let journal: Journal
    let host: any Host
    private let queue: any WorkQueue
    private let onDemand: @Sendable (String, TransportDemand) -> Void
    private var sites: [String: Site] = [:]
    private lazy var timer = queue.timer { [weak self] in self?.wake() }
    private var last = Instant(ms: 0)
    /// How many machines were made.
    private var made = 0

    /// `onDemand` is told what the transports of a camera want, with each change; it must not block.
    init(
        catalog: Catalog, pushers: TransportPushers, steps: StepLog, host: any Host, journal: Journal,
        onDemand: @escaping @Sendable (String, TransportDemand) -> Void
    ) {
        self.catalog = catalog
        self.pushers = pushers
        self.steps = steps
        self.host = host
        self.journal = journal
        self.onDemand = onDemand
        queue = host.queue("vigil.transports")
    }

    /// Ends the recordings that a kill left open, before anything new begins. Blocking.
    func recover() {
        do { _ = try host.disk(.event, "transports") { try catalog.endInterruptedRecordings() } } catch {
            journal.send(.writeFailed, fields: [(.detail, "recordings of transports: \(error)")])
        }
    }

    /// Waits until what was told is taken, so that each step is in the trace; at most ``stopMs``. Blocking.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.run { done.signal() }
        _ = done.wait(timeout: .now() + .milliseconds(Self.stopMs))
    }

    // MARK: Cameras

    /// A camera that is made: what its machine is to tell. Its transports of before run from its first step on.
    func feed(of camera: String, zones: [String]) -> TransportFeed {
        let feed = TransportFeed(camera: camera) { [weak self, queue, pushers] feed, event, now in
            // Before the queue, which may wait for a disk.
            if let why = Self.forbidding(event) { pushers.forbid(camera: camera, why) }
            queue.run { [weak self] in self?.take(event, from: feed, at: now) }
        }
        queue.run { self.restore(feed, zones) }
        return feed
    }

    /// The zones of a camera have these names from now on.
    func name(zones: [String], of camera: String) {
        queue.run {
            guard let site = self.sites[camera], site.zones != zones else { return }
            self.sites[camera]?.zones = zones
            for number in site.transports.keys.sorted() { self.follow(number, of: camera) }
        }
    }

    private func restore(_ feed: TransportFeed, _ zones: [String]) {
        var site = Site(feed: feed, zones: zones)
        do {
            let (wall, now) = (host.clock.wallMs(), host.clock.now())
            let kept = try catalog.transports(of: feed.camera)
            let facts = kept.isEmpty ? TransportFeed.Facts() : feed.watch()
            for one in kept {
                let (trigger, preRollMs) = Self.trigger(of: one, zones)
                site.transports[one.number] = RunningTransport(
                    kept: one, serial: serial(),
                    machine: PushTransport(
                        trigger, status: one.status,
                        expiry: one.expiresWallMs.map { now + $0.subtractingClamped(wall) },
                        block: facts.block,
                        held: facts.held),
                    preRollMs: preRollMs)
            }
        } catch {
            journal.send(.writeFailed, camera: feed.camera, fields: [(.detail, "transports cannot be read: \(error)")])
        }
        for before in (sites[feed.camera]?.transports ?? [:]).values { steps.forget(transport: before.name) }
        sites[feed.camera] = site
        for number in site.transports.keys.sorted() { step(.tick, number, of: feed.camera, at: host.clock.now()) }
        settle(feed.camera)
    }

    private func serial() -> Int {
        made += 1
        return made
    }

    /// What the machine is to know of kept options. A zone that the camera has no more counts for nothing.
    private static func trigger(of kept: KeptTransport, _ zones: [String]) -> (PushTransport.Trigger, preRollMs: Int64)
    {
        guard let options = TransportText.options(kept.options) else { return (.command, 0) }
        return TransportText.trigger(options, zones)
    }

    /// The zones of a camera have other numbers now.
    private func follow(_ number: Int, of camera: String) {
        guard let site = sites[camera], let running = site.transports[number] else { return }
        let (trigger, _) = Self.trigger(of: running.kept, site.zones)
        guard trigger != running.machine.trigger else { return }
        step(.modified(trigger, expiry: running.machine.expiry), number, of: camera, at: host.clock.now())
    }

    // MARK: Facts

    private func take(_ event: PushTransport.Event, from feed: TransportFeed, at now: Instant) {
        let camera = feed.camera
        // A camera that was removed may still drain when another one of its name is there.
        guard let site = sites[camera], site.feed === feed else { return }
        for number in site.transports.keys.sorted() {
            if case .triggered = event {
                // Of the camera's own facts only its doorbell does: what notices motion has that as a source.
                guard site.transports[number]?.machine.trigger == .command else { continue }
                sites[camera]?.transports[number]?.reason = Self.doorbellPressed
            }
            step(event, number, of: camera, at: now)
        }
        if event == .drain { sites[camera] = nil }
        settle(camera)
    }

    private func wake() {
        let now = host.clock.now()
        for camera in sites.keys.sorted() {
            let due = sites[camera]?.transports.filter { $1.machine.nextDeadline.map { $0 <= now } ?? false }.keys
                .sorted()
            for number in due ?? [] { step(.tick, number, of: camera, at: now) }
            settle(camera)
        }
    }

    /// Steps one machine and carries out what it orders; `user`: who asked for it, nil where nobody did. Returns that; nil where
    /// there is no such transport.
    @discardableResult
    private func step(
        _ event: PushTransport.Event, _ number: Int, of camera: String, at moment: Instant, by user: String? = nil
    ) -> [PushTransport.Effect]? {
        guard var running = sites[camera]?.transports[number] else { return nil }
        last = max(last, moment)
        let effects = running.machine.step(event, at: last)
        running.seq += 1
        sites[camera]?.transports[number] = running
        // The camera is told before anything is written: a disk that is slow delays no recording.
        if !effects.isEmpty { demand(of: camera) }
        // It may record nothing now, and yet have something that waits.
        if let why = Self.forbidding(event) { pushers.forbid(running.kept.id, why) }
        steps.step(
            transport: running.name, camera: camera, seq: running.seq, at: last, event: event, machine: running.machine,
            effects: effects, by: user)
        for effect in effects { perform(effect, &running, at: last, by: user) }
        let isOver = running.machine.phase == .over
        if sites[camera]?.transports[number] != nil { sites[camera]?.transports[number] = isOver ? nil : running }
        if isOver { steps.forget(transport: running.name) }
        return effects
    }

    /// Why an event forbids to record; nil where it does not.
    private static func forbidding(_ event: PushTransport.Event) -> PushTransport.Why? {
        switch event {
        case .blocked(.privacy): .privacy
        case .blocked(.disabled): .disabled
        case .blocked(.off): .off
        case .status(.inactive): .inactive
        default: nil
        }
    }

    private func perform(
        _ effect: PushTransport.Effect, _ running: inout RunningTransport, at now: Instant, by user: String?
    ) {
        let wall = host.clock.wallMs()
        let (kept, preRollMs) = (running.kept, running.preRollMs)
        let name: [(Field, String)] = [(.transport, "\(kept.number)")]
        switch effect {
        case .begin(_, let cause):
            pushers.begin(kept, at: now, preRollMs: preRollMs)
            let reason = cause == .command ? running.reason : nil
            running.row = attempt(kept.camera) {
                try catalog.beginRecording(
                    ofTransport: kept.id, camera: kept.camera, cause: cause, reason: reason, preRollMs: preRollMs,
                    atWallMs: wall)
            }
            var fields: [(Field, String)] = name + [(.cause, cause.rawValue)]
            if let reason { fields.append((.why, reason)) }
            journal.send(.transportBegan, camera: kept.camera, fields: fields)
        case .end(_, let why):
            pushers.end(kept.id, why, at: now)
            if let row = running.row {
                attempt(kept.camera) { try catalog.endRecording(row, why: why, atWallMs: wall) }
            }
            running.row = nil
            journal.send(.transportEnded, camera: kept.camera, fields: name + [(.why, why.rawValue)])
        case .removed(let how):
            pushers.forbid(kept.id, how == .expired ? .expired : .deallocated)
            pushers.close(kept.id)
            attempt(kept.camera) { try catalog.removeTransport(kept.id, atWallMs: wall) }
            // That its time is over is nobody's doing.
            let who = how == .expired ? nil : user
            journal.send(
                .transportChanged, camera: kept.camera, fields: name + [(.to, how.rawValue), (.user, who ?? "vigil")])
        case .stopped: pushers.close(kept.id)
        case .refused, .ignored: break
        }
    }

    @discardableResult
    private func attempt<Value>(_ camera: String, _ work: () throws -> Value) -> Value? {
        do { return try host.disk(.event, "transport", work) } catch {
            journal.send(.writeFailed, camera: camera, fields: [(.detail, "transport: \(error)")])
            return nil
        }
    }

    // MARK: What follows

    /// Says what the camera is to keep, where that has changed.
    private func demand(of camera: String) {
        guard let site = sites[camera] else { return }
        let recording = site.transports.values.filter(\.machine.isRecording)
        let demand = TransportDemand(
            preRollMs: recording.map(\.preRollMs).max(),
            ringMs: site.transports.values.filter { $0.machine.status == .active }.map(\.preRollMs).max() ?? 0)
        guard demand != site.demand else { return }
        sites[camera]?.demand = demand
        onDemand(camera, demand)
    }

    /// Looks at a camera after its transports were stepped: what it is to keep, and when something is due.
    private func settle(_ camera: String) {
        demand(of: camera)
        if let site = sites[camera], site.transports.isEmpty { site.feed.rest() }
        let next = sites.values.flatMap(\.transports.values).compactMap(\.machine.nextDeadline).min()
        timer.set(afterMs: next.map { max($0 - host.clock.now(), 0) })
    }

    // MARK: Requests

    /// The transports of a camera by number. Blocking; not from the queue itself.
    func all(of camera: String) -> [RunningTransport] {
        var found: [RunningTransport] = []
        queue.runAndWait { found = sites[camera]?.transports.values.sorted { $0.kept.number < $1.kept.number } ?? [] }
        return found
    }

    /// Enters a transport, inactive. Nil where as many are there as may be. Blocking, as all that follow.
    func allocate(_ checked: TransportCheck.Checked, of camera: String, by user: String) throws -> RunningTransport? {
        try wait {
            guard let site = sites[camera] else { return nil }
            let (wall, now) = (host.clock.wallMs(), host.clock.now())
            let lifeMs = checked.options.expiryTime.map { $0 * 1_000 }
            guard
                let kept = try catalog.allocate(
                    TransportText.text(checked.options), of: camera, expiresWallMs: lifeMs.map { wall + $0 },
                    most: Self.most, atWallMs: wall, by: user)
            else { return nil }
            let facts = site.feed.watch()
            let running = RunningTransport(
                kept: kept, serial: serial(),
                machine: PushTransport(
                    checked.trigger, expiry: lifeMs.map { now + $0 }, block: facts.block, held: facts.held),
                preRollMs: checked.preRollMs)
            sites[camera]?.transports[kept.number] = running
            told(kept, "allocated", by: user)
            // The first step says in the trace what the machine began with.
            step(.tick, kept.number, of: camera, at: now, by: user)
            settle(camera)
            return sites[camera]?.transports[kept.number] ?? running
        }
    }

    /// Puts other options in force, which `change` makes of those that hold; its life begins anew where `renews`. Nil where there is
    /// no such transport. Throws what `change` throws, and has changed nothing then.
    func modify(
        _ number: Int, of camera: String, renews: Bool, by user: String,
        _ change: (TransportOptions) throws -> TransportCheck.Checked
    ) throws -> RunningTransport? {
        try wait {
            guard var running = sites[camera]?.transports[number] else { return nil }
            let checked = try change(TransportText.options(running.kept.options) ?? TransportOptions())
            let (wall, now) = (host.clock.wallMs(), host.clock.now())
            var expiry = running.machine.expiry
            if renews {
                let lifeMs = checked.options.expiryTime.map { $0 * 1_000 }
                running.kept.expiresWallMs = lifeMs.map { wall + $0 }
                expiry = lifeMs.map { now + $0 }
            }
            running.kept.options = TransportText.text(checked.options)
            running.preRollMs = checked.preRollMs
            try catalog.keep(running.kept)
            sites[camera]?.transports[number] = running
            told(running.kept, "modified", by: user)
            let before = running.row
            step(.modified(checked.trigger, expiry: expiry), number, of: camera, at: now, by: user)
            if let same = sites[camera]?.transports[number], same.machine.isRecording, same.row == before {
                pushers.change(same.kept, at: now)
            }
            settle(camera)
            return sites[camera]?.transports[number] ?? running
        }
    }

    /// Sets one transport, or all of a camera, active or inactive. Gives those that refused; nil where there is no such transport.
    func set(
        _ status: PushTransport.Status, _ number: Int?, of camera: String, by user: String
    ) throws -> [Int: PushTransport.Refusal]? {
        try wait {
            let all = sites[camera]?.transports ?? [:]
            if let number, all[number] == nil { return nil }
            var refusals: [Int: PushTransport.Refusal] = [:]
            for number in number.map({ [$0] }) ?? all.keys.sorted() {
                guard var running = all[number] else { continue }
                let now = host.clock.now()
                // What a machine refuses is not kept, and what is not kept does not record.
                for case .refused(let why) in running.machine.step(.status(status), at: max(last, now)) {
                    refusals[number] = why
                }
                if refusals[number] != nil { continue }
                if status == .inactive { step(.status(status), number, of: camera, at: now, by: user) }
                if running.kept.status != status {
                    running.kept.status = status
                    try catalog.keep(running.kept)
                    sites[camera]?.transports[number]?.kept.status = status
                    told(running.kept, status.rawValue, by: user)
                }
                if status == .active { step(.status(status), number, of: camera, at: now, by: user) }
            }
            settle(camera)
            return refusals
        }
    }

    /// Triggers one. Gives why it refused; nil where there is no such transport.
    func trigger(
        _ number: Int, of camera: String, _ control: TimeControl?, reason: String, by user: String
    ) throws -> [PushTransport.Effect]? {
        try wait {
            sites[camera]?.transports[number]?.reason = reason
            let effects = step(.triggered(control), number, of: camera, at: host.clock.now(), by: user)
            settle(camera)
            return effects
        }
    }

    /// Takes one away. False where there is none.
    func deallocate(_ number: Int, of camera: String, by user: String) throws -> Bool {
        try wait {
            let effects = step(.deallocated, number, of: camera, at: host.clock.now(), by: user)
            settle(camera)
            return effects != nil
        }
    }

    private func told(_ kept: KeptTransport, _ what: String, by user: String) {
        journal.send(
            .transportChanged, camera: kept.camera,
            fields: [(.transport, "\(kept.number)"), (.to, what), (.user, user)])
    }

    private func wait<Value>(_ work: () throws -> Value) throws -> Value {
        var result: Result<Value, any Error>?
        queue.runAndWait { result = Result { try work() } }
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}
