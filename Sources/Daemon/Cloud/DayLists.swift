internal import Catalog
internal import Cloud
internal import Foundation
internal import Journal
internal import Machines
internal import ObjectStore
internal import Server
internal import Synchronization

/// Keeps the lists of days in the bucket as the catalog has their clips (docs/design/cloud.md "Lists of days"): one after the other,
/// on a queue of its own, which may block on the catalog and on nothing else. Which lists are stale is durable, so a crash costs one
/// put.
actor DayLists {
    /// The least time between two puts of one list, in milliseconds; and while clips are being sent, which it must not hold up.
    static let restMs: Int64 = 60_000
    static let busyRestMs: Int64 = 300_000
    /// How long it waits after a failure at first, and at most, in milliseconds.
    static let waitMs: Int64 = 30_000
    static let waitMaxMs: Int64 = 15 * 60_000
    /// How many changes are looked at, and how many clips read, in one question.
    private static let changesMost = 1_000
    private static let clipsMost = 100

    /// What the worker of the queue knows.
    struct Situation: Sendable {
        /// The store; nil where there is none, or it is to be left alone.
        var store: CloudStore?
        /// The site's time zone.
        var zone = TimeZone.current
        /// Whether clips are being sent.
        var isBusy = false
    }

    nonisolated let queue: any WorkQueue
    private let catalog: Catalog
    private let host: any Host
    private let journal: Journal
    private nonisolated let told = Mutex<(situation: Situation, isWoken: Bool)>((Situation(), false))

    private var situation = Situation()
    /// What is under way.
    private var task: Task<Void, Never>?
    /// When lists were last put, of the last minutes.
    private var puts: [ListedDay: Instant] = [:]
    /// How long it waits after a failure, and until when; 0 after a success.
    private var waits: Int64 = 0
    private var pausedUntil: Instant?
    private var timer: (any WakeTimer)?
    private var isDraining = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(catalog: Catalog, host: any Host, journal: Journal) {
        queue = host.queue("vigil.lists")
        self.catalog = catalog
        self.host = host
        self.journal = journal
    }

    /// The situation is this now, and clips may have come or gone. Many may say so while it works: one look is enough for all.
    nonisolated func follow(_ situation: Situation) {
        let isFirst = told.withLock { told in
            defer { told = (situation, true) }
            return !told.isWoken
        }
        guard isFirst else { return }
        queue.run {
            self.assumeIsolated {
                $0.hear()
                $0.goOn()
            }
        }
    }

    /// Breaks off what is under way: the list stays stale.
    func drain() async {
        isDraining = true
        timer = nil
        task?.cancel()
        await task?.value
        situation.store = nil
    }

    private func hear() {
        let before = situation.store?.settings
        situation = told.withLock { told in
            told.isWoken = false
            return told.situation
        }
        // What is under way speaks to the store of before.
        if let before, let now = situation.store?.settings, now != before { task?.cancel() }
    }

    /// Puts the next list. Nothing is called stale while one is under way, or its end would take the word back.
    private func goOn() {
        if isDraining || task != nil { return }
        defer { setTimer() }
        let now = host.clock.now()
        if let pausedUntil, pausedUntil > now { return }
        pausedUntil = nil
        puts = puts.filter { now - $0.value < Self.busyRestMs }
        do {
            let days = SiteDays(zone: situation.zone)
            while try catalog.hasListedDayChanges() { try mark(days) }
            guard let store = situation.store else { return }
            if try catalog.listedDayZone(store: store.name) != situation.zone.identifier { try use(days, in: store) }
            let resting = puts.filter { now - $0.value < rest }
            guard
                let next = try catalog.staleListedDays(store: store.name, limit: 1, except: Set(resting.keys)).first
            else { return }
            try begin(next, store, days, at: now)
        } catch { pause(error) }
    }

    private var rest: Int64 { situation.isBusy ? Self.busyRestMs : Self.restMs }

    private func mark(_ days: SiteDays) throws {
        _ = try keep("cloud_day_change") {
            try catalog.markListedDays(limit: Self.changesMost) { days.day(atMs: $0).map { "\($0)" } }
        }
    }

    private func use(_ days: SiteDays, in store: CloudStore) throws {
        try keep("cloud_day_zone") {
            try catalog.useListedDays(store: store.name, zone: situation.zone.identifier) { wallMs in
                days.day(atMs: wallMs).flatMap { day in days.interval(of: day).map { ("\(day)", $0.upperBound) } }
            }
        }
    }

    private func begin(_ day: ListedDay, _ store: CloudStore, _ days: SiteDays, at now: Instant) throws {
        guard let list = try list(of: day, in: store, days) else {
            // No name of a camera or day that could have a list.
            try settle(day, store.name, isGone: true)
            return queue.run { self.assumeIsolated { $0.goOn() } }
        }
        puts[day] = now
        let part = list.clips > 0 ? list.part : nil
        task = host.begin {
            var failure: (any Error)?
            do { try await Self.put(part, as: store.path(of: list.key), in: store) } catch { failure = error }
            await self.ended(day, store, part, list.key, failure, isGivenUp: Task.isCancelled)
        }
    }

    /// Puts a list, or takes it away where there is none.
    private static func put(_ part: ClipPresentation.Part?, as key: String, in store: CloudStore) async throws {
        guard let part else { return try await store.client.delete(key) }
        var options = PutOptions()
        options.contentType = part.contentType
        _ = try await store.client.put([UInt8](part.body), as: key, options)
    }

    /// The list of a day as the catalog has its clips; nil where it can have none. A clip whose description cannot be read is left out.
    private func list(of day: ListedDay, in store: CloudStore, _ days: SiteDays) throws -> DayList? {
        guard var list = try? DayList(camera: day.camera, date: day.day) else { return nil }
        // In some zones a day was left out.
        guard let interval = CalendarDay(day.day).flatMap(days.interval(of:)) else { return list }
        var last: ListedClip?
        repeat {
            let page = try catalog.listedClips(
                camera: day.camera, store: store.name, fromWallMs: interval.lowerBound, toWallMs: interval.upperBound,
                after: last, limit: Self.clipsMost)
            for clip in page {
                guard let description = try? ClipDescription(parsing: clip.description) else { continue }
                try? list.add(clip.key, description)
            }
            last = page.count == Self.clipsMost ? page.last : nil
        } while last != nil && !list.isFull
        return list
    }

    private func ended(
        _ day: ListedDay, _ store: CloudStore, _ part: ClipPresentation.Part?, _ key: String, _ failure: (any Error)?,
        isGivenUp: Bool
    ) {
        task = nil
        if isDraining { return }
        if let failure {
            if !isGivenUp { failed(day, key, failure) }
        } else {
            waits = 0
            do { try settle(day, store.name, isGone: part == nil) } catch { pause(error) }
        }
        goOn()
    }

    private func settle(_ day: ListedDay, _ store: String, isGone: Bool) throws {
        try keep("cloud_day") { try catalog.settleListedDay(day, store: store, isGone: isGone) }
    }

    /// Told once until one is put again.
    private func failed(_ day: ListedDay, _ key: String, _ error: any Error) {
        if waits == 0 {
            journal.send(.dayListFailed, camera: day.camera, fields: [(.path, key), (.why, "\(error)")])
        }
        waits = min(waits == 0 ? Self.waitMs : waits * 2, Self.waitMaxMs)
        pausedUntil = host.clock.now() + waits
    }

    /// Writes to the catalog. Blocking.
    private func keep<Value>(_ table: String, _ work: () throws -> Value) throws -> Value {
        try host.disk(.upload, table, work)
    }

    /// The catalog cannot be read or written; the storage's own watch tells that.
    private func pause(_ error: any Error) {
        pausedUntil = host.clock.now() + Self.waitMs
        journal.send(.uploadsWait, fields: [(.why, "\(error)")], priority: .debug)
    }

    private func setTimer() {
        guard !isDraining, task == nil, situation.store != nil else {
            timer?.set(afterMs: nil)
            return
        }
        if timer == nil { timer = queue.timer { [weak self] in self?.assumeIsolated { $0.goOn() } } }
        let now = host.clock.now()
        let next = pausedUntil ?? puts.values.map { $0 + rest }.filter { $0 > now }.min()
        timer?.set(afterMs: next.map { max($0 - now, 1) })
    }
}
