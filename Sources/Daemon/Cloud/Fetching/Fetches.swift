internal import Catalog
internal import Foundation
internal import Journal
internal import ObjectStore
internal import Server
internal import ServiceLifecycle
internal import Synchronization

/// Brings clips back from the cloud to the disk, one after another, in the order in which they were asked for (docs/design/cloud.md
/// "Fetching"). What waits is forgotten at a stop: whoever asked is there to ask again.
final class Fetches: Service {
    /// Where clips lie until they are whole, below the root.
    static let folder = "fetching"
    /// How many clips wait at most.
    static let waitingMax = 1_000
    /// How many of those that are over are told of.
    static let overMax = 1_000

    private struct Entry {
        let id: RemoteClipID
        var fetch: CloudFetch
        let user: String
    }

    private struct State {
        /// By the time at which they were asked for.
        var entries: [Entry] = []
        /// The one that is being read.
        var running: (id: RemoteClipID, task: Task<Void, Never>)?
        var isStopped = false
    }

    private let catalog: Catalog
    private let reader: StoreReader
    private let journal: Journal
    private let scratch: DerivedFiles
    private let room: @Sendable () -> (free: Int64, reserve: Int64)
    private let state = Mutex(State())

    /// Removes what an earlier run has left. Blocking.
    init(
        catalog: Catalog, reader: StoreReader, journal: Journal,
        room: @escaping @Sendable () -> (free: Int64, reserve: Int64)
    ) {
        self.catalog = catalog
        self.reader = reader
        self.journal = journal
        self.room = room
        scratch = DerivedFiles(catalog: catalog, folder: Self.folder)
        scratch.dropAll()
    }

    /// All of them, the oldest first.
    var all: [CloudFetch] { state.withLock { $0.entries.map(\.fetch) } }

    /// Enters a clip, unless it waits or is being read already.
    ///
    /// - Returns: how far it is; nil where too many wait.
    func order(_ remote: RemoteClip, by user: String) -> CloudFetch? {
        let fetch: CloudFetch? = state.withLock { state in
            if let known = state.entries.first(where: { $0.id == remote.id && !$0.fetch.isOver }) {
                return known.fetch
            }
            guard !state.isStopped, state.entries.count(where: { !$0.fetch.isOver }) < Self.waitingMax else {
                return nil
            }
            state.entries.removeAll { $0.id == remote.id }
            if state.entries.count(where: { $0.fetch.isOver }) >= Self.overMax,
                let oldest = state.entries.firstIndex(where: { $0.fetch.isOver })
            {
                state.entries.remove(at: oldest)
            }
            let fetch = CloudFetch(
                clip: ClipID(remote: remote.id).rawValue, camera: remote.camera,
                start: WallTime(ms: remote.startWallMs),
                end: WallTime(ms: remote.endWallMs), bytes: remote.bytes)
            state.entries.append(Entry(id: remote.id, fetch: fetch, user: user))
            return fetch
        }
        begin()
        return fetch
    }

    /// Gives one up that waits or is being read.
    ///
    /// - Returns: how far it is; nil where nobody has asked for it, or it is over.
    func cancel(_ id: RemoteClipID) -> CloudFetch? {
        state.withLock { state in
            guard let place = state.entries.firstIndex(where: { $0.id == id && !$0.fetch.isOver }) else {
                return nil
            }
            state.entries[place].fetch.phase = .cancelled
            state.entries[place].fetch.why = nil
            // It is let go of when its task has ended.
            if let running = state.running, running.id == id { running.task.cancel() }
            return state.entries[place].fetch
        }
    }

    func run() async throws {
        try? await gracefulShutdown()
        await stop()
    }

    /// Ends what is under way; nothing begins any more.
    func stop() async {
        let task = state.withLock { state in
            state.isStopped = true
            return state.running?.task
        }
        task?.cancel()
        await task?.value
    }

    /// Begins with the next one, unless one is under way.
    private func begin() {
        state.withLock { state in
            guard state.running == nil, !state.isStopped,
                let place = state.entries.firstIndex(where: { $0.fetch.phase == .waiting })
            else { return }
            state.entries[place].fetch.phase = .fetching
            let id = state.entries[place].id
            state.running = (id, Task { await self.fetch(id) })
        }
    }

    private func fetch(_ id: RemoteClipID) async {
        let fetching = ClipFetching(
            id: id, catalog: catalog, reader: reader, scratch: scratch, room: room
        ) { bytes, why in
            self.change(id) { fetch in
                fetch.fetchedBytes = bytes
                fetch.why = why
            }
        }
        var (kept, why): (ClipID?, String?)
        do { kept = try await fetching.run() } catch is CancellationError {} catch { why = Self.words(error) }
        let ended = state.withLock { state -> Entry? in
            state.running = nil
            // Who asks again after giving up has a new entry, which waits.
            guard let place = state.entries.firstIndex(where: { $0.id == id && $0.fetch.phase != .waiting })
            else {
                return nil
            }
            state.entries[place].fetch.why = nil
            if let kept {
                // Whoever gave it up when it was whole already has it all the same.
                state.entries[place].fetch.phase = .kept
                state.entries[place].fetch.kept = kept.rawValue
            } else if let why, state.entries[place].fetch.phase == .fetching {
                state.entries[place].fetch.phase = .failed
                state.entries[place].fetch.why = why
            } else {
                state.entries[place].fetch.phase = .cancelled
            }
            return state.entries[place]
        }
        if let ended { tell(ended) }
        begin()
    }

    private func change(_ id: RemoteClipID, _ body: (inout CloudFetch) -> Void) {
        state.withLock { state in
            guard let place = state.entries.firstIndex(where: { $0.id == id && $0.fetch.phase == .fetching })
            else {
                return
            }
            body(&state.entries[place].fetch)
        }
    }

    private func tell(_ ended: Entry) {
        let fetch = ended.fetch
        switch fetch.phase {
        case .kept:
            journal.send(
                .clipFetched, camera: fetch.camera,
                fields: [
                    (.clip, fetch.kept.map { "\($0)" } ?? ""), (.bytes, "\(fetch.bytes)"),
                    (.from, fetch.start.rfc3339), (.to, fetch.end.rfc3339), (.user, ended.user),
                ])
        case .failed:
            journal.send(
                .clipFetchFailed, camera: fetch.camera,
                fields: [(.clip, "\(fetch.clip)"), (.why, fetch.why ?? ""), (.user, ended.user)])
        case .waiting, .fetching, .cancelled: break
        }
    }

    private static func words(_ error: any Error) -> String {
        if let error = error as? CatalogError, case .refused(let why) = error.cause { return why }
        return "\(error)"
    }
}
