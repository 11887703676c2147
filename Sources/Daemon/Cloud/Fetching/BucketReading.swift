internal import Catalog
internal import Cloud
internal import Foundation
internal import Journal
internal import Machines
internal import ObjectStore
internal import Policies
internal import Server
internal import Synchronization

/// Enters what the bucket has into the catalog's lists of the cloud, on a machine that does not know of it (docs/design/cloud.md
/// "Rebuild"). Doing it again changes nothing. One at a time.
final class BucketReading: Sendable {
    /// How many descriptions are read at once.
    private static let readersMax = 8
    /// What a bucket claims to hold must not have retention delete without end. With less room than that beyond the reserve, in bytes,
    /// which is so wherever retention keeps the disk full, the catalog may grow by so much, and some room must be there.
    private static let (roomMin, growthMax) = (Int64(64 << 20), Int64(4 << 30))

    private let reader: StoreReader
    private let catalog: Catalog
    private let journal: Journal
    private let clock: any Clocks
    private let storage: @Sendable () -> StorageMonitor.Report
    private let status = Mutex(CloudRebuild())
    /// Told of each camera of which clips were entered.
    private let onEntered: @Sendable (_ camera: String) -> Void

    init(
        reader: StoreReader, catalog: Catalog, journal: Journal, clock: any Clocks,
        storage: @escaping @Sendable () -> StorageMonitor.Report,
        onEntered: @escaping @Sendable (_ camera: String) -> Void
    ) {
        self.reader = reader
        self.catalog = catalog
        self.journal = journal
        self.clock = clock
        self.storage = storage
        self.onEntered = onEntered
    }

    /// How far it is.
    var now: CloudRebuild { status.withLock { $0 } }

    /// Begins one, unless one is under way.
    ///
    /// - Throws: why there is no store to read.
    func begin(by user: String) throws -> CloudRebuild {
        let store = try reader.current()
        let started = WallTime(ms: clock.wallMs())
        let isNew = status.withLock { status in
            if status.isRunning { return false }
            status = CloudRebuild()
            status.isRunning = true
            status.started = started
            return true
        }
        guard isNew else { return now }
        // It ends with the store's client, at the latest when the daemon stops; what was entered stays.
        Task {
            var why: String?
            do {
                try await self.read(store)
                // Whatever lists there are: those of all days with clips are made anew.
                try await Blocking.always { [catalog] in try catalog.forgetListedDays(store: store.name) }
            } catch { why = "\(error)" }
            self.end(why, by: user)
        }
        return now
    }

    private func end(_ why: String?, by user: String) {
        let ended = status.withLock { status in
            status.isRunning = false
            status.why = why
            return status
        }
        let locked = ended.locked.map { ", \($0.clips) need key \($0.keyID)" }.joined()
        let detail = "\(ended.known) known before, \(ended.leftOut) left out\(locked)"
        journal.send(
            .cloudRebuilt,
            fields: [(.count, "\(ended.entered)"), (.detail, detail), (.user, user)]
                + (why.map { [(.why, "it ended early: \($0)")] } ?? []))
    }

    /// What became of a clip.
    private enum Outcome {
        case entered(camera: String, lockedBy: String?), known, going, leftOut(String)
    }

    private func read(_ store: CloudStore) async throws {
        let prefix = store.folder(of: "clips")
        var listing = BucketListing(prefixBytes: prefix.utf8.count - "clips/".utf8.count)
        var continuation: String?
        let before = try await Blocking.always { [catalog] in catalog.fileBytes }
        repeat {
            try Task.checkCancellation()
            try await checkRoom(grown: Blocking.always { [catalog] in catalog.fileBytes } - before)
            let page = try await store.client.list(prefix: prefix, continuation: continuation)
            continuation = page.continuation
            try await enter(
                listing.take(page.entries.map { ($0.key, $0.bytes) }, isLast: continuation == nil), store)
        } while continuation != nil
    }

    /// Throws where the catalog may not grow any more; it has grown by so many bytes.
    private func checkRoom(grown: Int64) throws {
        let report = storage()
        if report.storage == .lost { throw DaemonFailure("the storage of the catalog is lost: \(report.why)") }
        let beyond = report.freeBytes.subtractingClamped(report.reserveBytes)
        guard beyond <= Self.roomMin, grown > Self.growthMax || report.freeBytes < 2 * StorageMonitor.lostBytes else {
            return
        }
        throw DaemonFailure(
            "the catalog has grown by \(grown >> 20) MiB, and \(report.freeBytes >> 20) MiB of its disk are free; free some, "
                + "and begin again: what was entered stays")
    }

    private func enter(_ folders: [BucketListing.Folder], _ store: CloudStore) async throws {
        var waiting = folders.filter { CloudKeys.isClip($0.key) }[...]
        try await withThrowingTaskGroup(of: (BucketListing.Folder, Outcome).self) { group in
            for _ in 0..<Self.readersMax {
                guard let folder = waiting.popFirst() else { break }
                group.addTask { (folder, try await self.enter(folder, store)) }
            }
            while let (folder, outcome) = try await group.next() {
                count(folder.key, outcome)
                guard let next = waiting.popFirst() else { continue }
                group.addTask { (next, try await self.enter(next, store)) }
            }
        }
    }

    private func count(_ key: String, _ outcome: Outcome) {
        status.withLock { status in
            status.found += 1
            switch outcome {
            case .entered(_, let key):
                status.entered += 1
                if let key { status.add(lockedBy: key) }
            case .known: status.known += 1
            case .going: status.going += 1
            case .leftOut(let why):
                status.leftOut += 1
                guard status.unreadable.count < CloudRebuild.unreadableMax else { return }
                status.unreadable.append(CloudRebuild.Unreadable(key: key, why: why))
            }
        }
        if case .entered(let camera, _) = outcome { onEntered(camera) }
    }

    /// Throws where the store does not answer: then nothing more is read. What is wrong with one clip is told of that clip.
    private func enter(_ folder: BucketListing.Folder, _ store: CloudStore) async throws -> Outcome {
        let known = try await Blocking.always { [catalog] in try catalog.remoteClip(key: folder.key) }
        // One that was sent live and is not whole yet may be by now.
        if let known, known.isComplete { return .known }
        let isWhole = folder.objects[CloudKeys.description] != nil
        // What this machine sends while it records is entered when it counts, and goes without a word if it is given up.
        let isOwn = try await Blocking.always { [catalog] in
            try !isWhole && catalog.liveUploads().contains { $0.key == folder.key && $0.store == store.name }
        }
        if isOwn { return .known }
        let name = isWhole ? CloudKeys.description : CloudKeys.liveDescription
        guard let size = folder.objects[name] else { return .leftOut("it has no description: not all of it was sent") }
        guard size <= UInt64(ClipDescription.bytesMax) else { return .leftOut("\(name) has \(size) bytes") }
        let bytes: [UInt8]
        do {
            bytes = try await store.client.bytes(
                store.folder(of: folder.key) + name, limit: UInt64(ClipDescription.bytesMax))
        } catch let error as StoreError where error.cause == .notFound {
            return .leftOut("\(name) is gone since it was listed")
        }
        let description: ClipDescription
        do { description = try ClipDescription(parsing: Data(bytes)) } catch { return .leftOut("\(error)") }
        guard ClipPaths(parsing: "\(folder.key).cmfv")?.camera == description.camera else {
            return .leftOut("\(name) is of camera \(description.camera), and the key of another")
        }
        for object in description.tracks.lazy.flatMap(\.objects)
        where folder.objects[object.name] != UInt64(clamping: object.bytes) {
            let there = folder.objects[object.name].map { "\($0) bytes of them" } ?? "none of it"
            return .leftOut("\(object.name) should have \(object.bytes) bytes, and the store has \(there)")
        }
        let remote = description.remote(
            key: folder.key, store: store.name, url: store.settings.store.playURL(of: folder.key),
            verified: Verification(how: "size", wallMs: clock.wallMs()), isComplete: isWhole)
        let id = try await Blocking.always { [catalog] in try catalog.enterRemote(remote) }
        let locked = description.encryption.flatMap { reader.keys.opens($0) ? nil : $0.keyID }
        return id == nil ? .going : .entered(camera: description.camera, lockedBy: locked)
    }
}
