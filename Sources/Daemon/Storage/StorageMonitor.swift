internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Synchronization

/// Watches the room in the storage, deletes by the retention rules, and says what the storage can do.
///
/// Blocking work happens on one queue of its own. A failed write of any camera makes it look at once.
///
/// `@unchecked Sendable`: everything mutable is confined to `queue`, but for `shared`, which has its own lock.
final class StorageMonitor: @unchecked Sendable {
    /// What may be said about the storage.
    struct Report: Sendable {
        var storage: Storage
        var freeBytes: Int64
        /// How much has to stay free; 0 until it was looked at.
        var reserveBytes: Int64 = 0
        var why: String
    }

    /// The rules in force.
    struct Rules: Sendable {
        var reserve: Reserve
        var siteMaxBytes: Int64?
        var cameras: [String: RetentionRules]
    }

    /// With less than this nothing is written any more, in bytes.
    static let lostBytes: Int64 = 64 << 20
    /// How often the room is looked at, in milliseconds; after a failed write at once.
    static let intervalMs: Int64 = 5_000
    /// How often the age rules are applied, in milliseconds.
    static let retentionMs: Int64 = 60_000

    private struct Shared {
        var rules: Rules
        var report: Report
        var isCatalogGone = false
    }

    private let root: String
    private let catalog: Catalog
    private let holds: ClipHolds
    private let ages: AgeClock
    private let journal: Journal
    private let tell: @Sendable (Storage) -> Void
    private let onUsable = Mutex<[@Sendable () -> Void]>([])
    private let onDeleted = Mutex<[@Sendable () -> Void]>([])
    private let queue: any WorkQueue
    private let shared: Mutex<Shared>
    private let host: any Host
    private let volume: any Volume
    private var timer: (any WakeTimer)?
    private var suspicion: String?
    /// Whether room is kept that can be given back.
    private var hasSpare = false
    /// The folder that was there at the start.
    private var place: VolumePlace?

    private var lastRetention: Instant?
    private var blockedSince: Instant?
    private var isDoubtTold = false

    /// `tell` is called on the monitor's queue with each change.
    init(
        root: String, catalog: Catalog, holds: ClipHolds, ages: AgeClock, rules: Rules, host: any Host,
        journal: Journal,
        tell: @escaping @Sendable (Storage) -> Void
    ) {
        self.root = root
        self.catalog = catalog
        self.holds = holds
        self.ages = ages
        self.journal = journal
        self.tell = tell
        self.host = host
        queue = host.queue("vigil.storage")
        volume = host.volume(root)
        shared = Mutex(Shared(rules: rules, report: Report(storage: .ok, freeBytes: 0, why: "")))
    }

    /// What the storage can do at present.
    var report: Report { shared.withLock { $0.report } }

    /// Why the daemon ends, for it to be started on what is there now; nil while its catalog is in its place.
    var endsBecause: String? {
        guard shared.withLock({ $0.isCatalogGone }) else { return nil }
        return
            "\(root)/\(Catalog.fileName) was replaced or removed while Vigil had it open, and what is recorded would be in "
            + "no catalog. Vigil ends to open what is there now; run `vigil fsck --rebuild` if recordings are missing then."
    }

    /// Tells `body` what the storage can do, after every change that was told before and before any that will be.
    func `repeat`(to body: @escaping @Sendable (Storage) -> Void) { queue.run { body(self.report.storage) } }

    /// New rules, applied at once.
    func change(_ rules: Rules) {
        shared.withLock { $0.rules = rules }
        queue.run {
            self.lastRetention = nil
            self.check()
        }
    }

    /// Begins to watch. The first look is taken before it returns, so that no camera starts on a lost storage. Blocking.
    func start() {
        queue.runAndWait {
            check()
            timer = queue.timer { self.look() }
            timer?.set(afterMs: Self.intervalMs)
        }
    }

    /// Ends the watch, after a look under way.
    func stop() {
        queue.runAndWait {
            timer?.set(afterMs: nil)
            timer = nil
        }
    }

    /// Calls `body` on the monitor's queue at each look that finds the storage usable, to finish what was owed while it was
    /// not. It may block.
    func whenUsable(_ body: @escaping @Sendable () -> Void) { onUsable.withLock { $0.append(body) } }

    /// Calls `body` on the monitor's queue when clips were marked as going: their uploads follow.
    func whenDeleted(_ body: @escaping @Sendable () -> Void) { onDeleted.withLock { $0.append(body) } }

    /// What became of a clip that somebody asked to delete.
    enum DeletionOutcome {
        /// It is gone.
        case deleted
        /// It stays as it is, for this reason.
        case open, protected, held, deleting
        /// It is marked, and some of its files are still there; the monitor goes on with it.
        case unfinished(String)
    }

    /// Deletes a closed clip at once, in the order of every other deletion, unless it is protected or somebody reads it. Blocking.
    func delete(_ clip: Clip, by user: String) throws -> DeletionOutcome {
        var result = Result<DeletionOutcome, any Error>.success(.open)
        queue.runAndWait { result = Result { try self.deleteNow(clip, by: user) } }
        return try result.get()
    }

    /// A write failed; whether that means that the storage is lost is found out on the monitor's queue.
    func failed(_ error: any Error) {
        queue.run {
            self.suspicion = "\(error)"
            self.check()
        }
    }

    // MARK: On the queue

    private func look() {
        check()
        timer?.set(afterMs: Self.intervalMs)
    }

    private func check() {
        let rules = shared.withLock { $0.rules }
        let before = report
        guard isInPlace() else {
            return become(.lost, free: 0, why: "the storage is not mounted in its place", from: before)
        }
        do throws(CatalogError) {
            guard try catalog.isInPlace() else {
                shared.withLock { $0.isCatalogGone = true }
                return become(.lost, free: 0, why: "\(Catalog.fileName) was replaced or removed", from: before)
            }
        } catch {
            return become(.lost, free: 0, why: "\(Catalog.fileName) \(error.reason)", from: before)
        }
        guard var room = volume.room() else {
            return become(.lost, free: 0, why: "the storage cannot be reached", from: before)
        }
        let reserve = max(rules.reserve.bytes(ofCapacity: room.capacity), Self.lostBytes * 2)
        let now = host.clock.now()
        if lastRetention.map({ now - $0 >= Self.retentionMs }) ?? true || room.free < reserve {
            lastRetention = now
            retain(rules, capacity: room.capacity, free: room.free, reserve: reserve)
            room = volume.room() ?? room
        }
        if !hasSpare, room.free >= reserve { hasSpare = volume.keepSpare() }
        if suspicion != nil || before.storage == .lost {
            if let failure = volume.probe() { return become(.lost, free: room.free, why: failure, from: before) }
            suspicion = nil
        }
        // Lost storage is believed to be back only with room to spare, so that recording does not flap.
        let lost = before.storage == .lost ? Self.lostBytes * 2 : Self.lostBytes
        if room.free < lost {
            return become(.lost, free: room.free, why: "no room left, and nothing may be deleted", from: before)
        }
        for follower in onUsable.withLock({ $0 }) { follower() }
        become(room.free < reserve ? .low : .ok, free: room.free, reserve: reserve, why: "", from: before)
    }

    private func become(
        _ storage: Storage, free: Int64, reserve: Int64 = 0, why: String, from before: Report
    ) {
        shared.withLock {
            $0.report = Report(storage: storage, freeBytes: free, reserveBytes: reserve, why: why)
        }
        guard storage != before.storage else { return }
        var fields: [(Field, String)] = [(.path, root), (.freeBytes, "\(free)"), (.from, before.storage.rawValue)]
        if !why.isEmpty { fields.append((.why, why)) }
        switch storage {
        case .ok: journal.send(.storageOk, fields: fields)
        case .low: journal.send(.storageLow, fields: fields)
        case .lost: journal.send(.storageLost, fields: fields)
        }
        tell(storage)
    }

    /// Whether the root's path still leads to the folder that was opened. A disk that was unmounted under the daemon takes
    /// its open files along, and what is written into them is out of reach.
    private func isInPlace() -> Bool {
        guard let found = volume.place() else { return false }
        let expected = place ?? found
        place = expected
        return found == expected
    }

    /// The most clips that one pass looks at, of each camera and class.
    private static let windowClips = 512

    private func retain(_ rules: Rules, capacity: Int64, free: Int64, reserve: Int64) {
        do {
            // A clip is marked durably before it goes, and where others have filled the disk there is no room for that.
            try withSpare { try deleteByRules(rules, capacity: capacity, free: free, reserve: reserve) }
        } catch {
            suspicion = "\(error)"
            journal.send(.retentionBlocked, fields: [(.why, "\(error)"), (.freeBytes, "\(free)")])
        }
    }

    private func withSpare<Result>(_ work: () throws -> Result) throws -> Result {
        try volume.withSpare(given: { hasSpare = false }, work)
    }

    private func deleteByRules(_ rules: Rules, capacity: Int64, free: Int64, reserve: Int64) throws {
        let (now, ageMs) = (host.clock.wallMs(), ages.wallMs())
        // Whether anything is to be deleted, the oldest clips and the sums tell: most passes need no more.
        var (plan, window) = try plan(1, rules, capacity: capacity, free: free, reserve: reserve, nowMs: ageMs)
        if !plan.deletions.isEmpty || !plan.unmet.isEmpty {
            (plan, window) = try self.plan(
                Self.windowClips, rules, capacity: capacity, free: free, reserve: reserve, nowMs: ageMs)
        }
        let deleter = Deleter(catalog: catalog) { [host] step in try host.disk(.delete, step) {} }
        try finishDeletions(deleter)
        let byID = Dictionary(window.clips.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for rule in RetentionPlan.Rule.allCases {
            let ids = plan.deletions.filter { $0.rule == rule }.map { ClipID(rawValue: $0.id) }
            guard !ids.isEmpty else { continue }
            let report = try holds.delete(ids, always: rule == .freeSpace) {
                try deleter.delete($0, rule: rule.rawValue, atWallMs: now)
            }
            tell(report, rule, byID)
            for follower in onDeleted.withLock({ $0 }) { follower() }
        }
        tellBlocked(plan.unmet.first { $0.reason != .beyondWindow }?.words ?? window.excess(over: capacity), free: free)
        tellDoubt()
    }

    /// What to delete now of the `limit` oldest clips of each camera and class, and those clips.
    private func plan(
        _ limit: Int, _ rules: Rules, capacity: Int64, free: Int64, reserve: Int64, nowMs: Int64
    ) throws -> (RetentionPlan, RetentionWindow) {
        let window = try catalog.retentionWindow(limit: limit)
        // Sums that no disk holds are wrong, and by them everything would be too much.
        let isBelieved = window.excess(over: capacity) == nil
        let cameras = isBelieved ? rules.cameras : rules.cameras.mapValues(\.withoutSize)
        let input = RetentionPlan.Input(
            clips: window.clips, rules: cameras, storedBytes: window.storedBytes, truncated: window.truncated,
            protectedBytes: window.protectedBytes, siteMaxBytes: isBelieved ? rules.siteMaxBytes : nil, freeBytes: free,
            reserveBytes: reserve, nowMs: nowMs)
        return (RetentionPlan(input), window)
    }

    /// The word that the ledger has in place of a rule where somebody has asked.
    static let commandRule = "command"

    private func deleteNow(_ clip: Clip, by user: String) throws -> DeletionOutcome {
        let deleter = Deleter(catalog: catalog) { [host] step in try host.disk(.delete, step) {} }
        var isHeld = true
        let report = try holds.delete([clip.id], always: false) { free in
            isHeld = free.isEmpty
            return try withSpare {
                try deleter.delete(free, rule: Self.commandRule, by: .person, atWallMs: host.clock.wallMs())
            }
        }
        if isHeld { return .held }
        for follower in onDeleted.withLock({ $0 }) { follower() }
        if let failure = report.failures.first {
            journal.send(
                .retentionBlocked, camera: clip.camera,
                fields: [(.clip, "\(clip.id)"), (.why, "\(failure.error)"), (.user, user)])
            return .unfinished(failure.error.reason)
        }
        guard !report.deleted.isEmpty else {
            // What it is by now, not what it was when it was asked for.
            switch try catalog.clip(clip.id) {
            case let now? where now.protected: return .protected
            case let now? where now.state == .open: return .open
            default: return .deleting
            }
        }
        journal.send(
            .clipDeleted, camera: clip.camera,
            fields: [
                (.clip, "\(clip.id)"), (.rule, Self.commandRule), (.bytes, "\(clip.bytes)"), (.user, user),
            ])
        return .deleted
    }

    /// Goes on with deletions that a failing disk has cut short: their clips are gone for every reader, their bytes are not.
    private func finishDeletions(_ deleter: Deleter) throws {
        let marked = try catalog.deletingClips()
        guard !marked.isEmpty else { return }
        let finished = Set(try deleter.resume().deleted)
        for clip in marked where finished.contains(clip.id) {
            let ledger = try catalog.deletions(
                camera: clip.camera, fromWallMs: clip.start.wallMs - 1, toWallMs: .max)
            // A clip into which nothing was written has no entry, and was told when it was closed.
            guard let rule = ledger.first(where: { $0.clip == clip.id })?.rule else { continue }
            journal.send(
                .clipDeleted, camera: clip.camera,
                fields: [(.clip, "\(clip.id)"), (.rule, rule), (.bytes, "\(clip.bytes)")])
        }
    }

    private func tell(_ report: DeletionReport, _ rule: RetentionPlan.Rule, _ clips: [Int64: RetentionPlan.Clip]) {
        for id in report.deleted {
            journal.send(
                .clipDeleted, camera: clips[id.rawValue]?.camera,
                fields: [
                    (.clip, "\(id)"), (.rule, rule.rawValue), (.bytes, "\(clips[id.rawValue]?.bytes ?? 0)"),
                ])
        }
        for failure in report.failures {
            journal.send(
                .retentionBlocked, fields: [(.clip, "\(failure.clip)"), (.why, "\(failure.error)")])
        }
    }

    private func tellBlocked(_ why: String?, free: Int64) {
        guard let why else {
            blockedSince = nil
            return
        }
        guard blockedSince == nil else { return }
        blockedSince = host.clock.now()
        journal.send(.retentionBlocked, fields: [(.why, why), (.freeBytes, "\(free)")])
    }

    private func tellDoubt() {
        let doubt = ages.doubt
        defer { isDoubtTold = doubt != nil }
        guard let doubt, !isDoubtTold else { return }
        journal.send(.clockDoubted, fields: [(.why, doubt)])
    }
}

extension RetentionWindow {
    /// That the catalog tells of more than a device of `capacity` bytes holds, in words; nil where it does not.
    func excess(over capacity: Int64) -> String? {
        let stored = storedBytes.values.reduce(Int64(0)) { $0.addingClamped($1) }
        guard stored > capacity else { return nil }
        return "the catalog tells of \(stored) bytes on a device of \(capacity), so nothing goes for its size; "
            + "run `vigil fsck --repair`, or `--rebuild` where that does not help"
    }
}

extension RetentionRules {
    /// Those of age alone.
    fileprivate var withoutSize: RetentionRules {
        var rules = self
        rules.maxBytes = nil
        return rules
    }
}

extension RetentionPlan.Unmet {
    /// For the journal: the limit, and why it cannot be kept.
    var words: String {
        let limit = rule.rawValue + (camera.map { " of camera \($0)" } ?? "")
        return switch reason {
        case .everythingProtected: "\(limit): every closed clip that is left is protected"
        case .nothingStored: "\(limit): no closed clip is left"
        case .beyondWindow: "\(limit): more is deleted in a moment"
        }
    }
}
