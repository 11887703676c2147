internal import Catalog
internal import Dispatch
internal import Foundation
internal import Hashing
internal import Synchronization

/// What was read from the store, kept below `cloud/` in the root by object and range (docs/design/cloud.md "Timeline and playing").
/// It can all be read again: nothing of it is synced, and what does not have its checksum is as if it were not there. What was used
/// longest ago goes first.
final class CloudCache: Sendable {
    /// The size of a range, in bytes; the last one of an object is shorter.
    static let rangeBytes = 256 << 10
    private static let digestBytes = 64

    /// One range of one object.
    struct Range: Hashable, Sendable {
        /// The store's name, the clip's key in it, and the name of the object.
        let store, key, object: String
        /// Its place among the ranges of the object, from 0.
        let number: Int

        /// Where it is kept.
        fileprivate var path: String { "\(CloudCache.folder(key, store))/\(object).\(number)" }
    }

    /// A range that is being read; many may wait for it.
    private final class Flight: Sendable {
        let group = DispatchGroup()
        let result = Mutex<Result<[UInt8], any Error>?>(nil)

        init() { group.enter() }

        func end(_ result: Result<[UInt8], any Error>) {
            self.result.withLock { $0 = result }
            group.leave()
        }
    }

    private struct State {
        /// What is kept: its size, and when it was used last, as a number that grows.
        var kept: [String: (bytes: Int64, used: UInt64)]?
        var bytes: Int64 = 0
        var uses: UInt64 = 0
        var flights: [Range: Flight] = [:]
    }

    /// It takes longer than whoever reads may wait.
    struct TooSlow: Error, CustomStringConvertible {
        let waitMs: Int
        var description: String { "the store has sent nothing for \(waitMs / 1_000) s" }
    }

    private let files: DerivedFiles
    /// How long who reads waits for a range, in milliseconds.
    private let waitMs: Int
    private let bytesMax: @Sendable () -> Int64
    private let state = Mutex(State())

    /// What is kept below the root of a catalog, `bytesMax` at most.
    init(catalog: Catalog, waitMs: Int = 20_000, bytesMax: @escaping @Sendable () -> Int64) {
        files = DerivedFiles(catalog: catalog, folder: "cloud")
        self.waitMs = waitMs
        self.bytesMax = bytesMax
    }

    /// The bytes of a range: those that are kept, or what `fetch` gives, which is asked once however many wait. Blocking.
    func read(_ range: Range, _ fetch: @escaping @Sendable () async throws -> [UInt8]) throws -> [UInt8] {
        if let kept = kept(range) { return kept }
        let flight = begin(range, fetch)
        guard flight.group.wait(timeout: .now() + .milliseconds(waitMs)) == .success,
            let result = flight.result.withLock({ $0 })
        else { throw TooSlow(waitMs: waitMs) }
        return try result.get()
    }

    /// Begins to read a range that somebody will want soon. Does not wait.
    func prepare(_ range: Range, _ fetch: @escaping @Sendable () async throws -> [UInt8]) {
        if state.withLock({ $0.kept?[range.path] != nil || $0.flights[range] != nil }) { return }
        _ = begin(range, fetch)
    }

    private func begin(_ range: Range, _ fetch: @escaping @Sendable () async throws -> [UInt8]) -> Flight {
        let (flight, isNew) = state.withLock { state in
            if let flight = state.flights[range] { return (flight, false) }
            let flight = Flight()
            state.flights[range] = flight
            return (flight, true)
        }
        guard isNew else { return flight }
        Task {
            let result: Result<[UInt8], any Error>
            do { result = .success(try await fetch()) } catch { result = .failure(error) }
            guard case .success(let bytes) = result else {
                // Who comes later asks anew.
                self.state.withLock { $0.flights[range] = nil }
                return flight.end(result)
            }
            flight.end(result)
            // On a thread of its own: the disk may take its time.
            _ = try? await Blocking.fetching.run { self.keep(bytes, range) }
            self.state.withLock { $0.flights[range] = nil }
        }
        return flight
    }

    /// Forgets what is kept of a clip that goes. Blocking.
    func forget(_ key: String, store: String) {
        list()
        let folder = Self.folder(key, store) + "/"
        for path in state.withLock({ $0.kept?.keys.filter { $0.hasPrefix(folder) } ?? [] }) { drop(path) }
    }

    /// The folder of a clip: a clip's key has too many parts to be one.
    private static func folder(_ key: String, _ store: String) -> String {
        String(SHA256.value(of: Array("\(store)\n\(key)".utf8)).description.prefix(32))
    }

    private func drop(_ path: String) {
        state.withLock { state in
            if let known = state.kept?.removeValue(forKey: path) { state.bytes -= known.bytes }
        }
        files.drop(path)
    }

    private func kept(_ range: Range) -> [UInt8]? {
        let path = range.path
        list()
        let isKept = state.withLock { state in
            guard state.kept?[path] != nil else { return false }
            state.uses += 1
            state.kept?[path]?.used = state.uses
            return true
        }
        guard isKept else { return nil }
        guard let data = files.read(path, most: Self.digestBytes + Self.rangeBytes), data.count > Self.digestBytes,
            case let bytes = [UInt8](data.dropFirst(Self.digestBytes)),
            SHA256.value(of: bytes).hex.elementsEqual(data.prefix(Self.digestBytes))
        else {
            drop(path)
            return nil
        }
        return bytes
    }

    /// What an earlier run kept counts too, the newest as used last.
    private func list() {
        guard state.withLock({ $0.kept == nil }) else { return }
        let found = files.list().sorted { $0.changedMs < $1.changedMs }
        state.withLock { state in
            guard state.kept == nil else { return }
            state.kept = [:]
            for file in found {
                state.uses += 1
                state.kept?[file.path] = (file.bytes, state.uses)
                state.bytes += file.bytes
            }
        }
    }

    private func keep(_ bytes: [UInt8], _ range: Range) {
        guard !bytes.isEmpty, bytes.count <= Self.rangeBytes else { return }
        let path = range.path
        let size = Int64(Self.digestBytes + bytes.count)
        let most = bytesMax()
        guard size <= most else { return }
        list()
        do { try files.keep(Data(SHA256.value(of: bytes).hex + bytes), path) } catch { return }
        let gone = state.withLock { state in
            state.uses += 1
            if let before = state.kept?.updateValue((size, state.uses), forKey: path) { state.bytes -= before.bytes }
            state.bytes += size
            guard state.bytes > most else { return [String]() }
            // A tenth at a time, so that not every range sorts all of them.
            var (gone, left) = ([String](), state.bytes)
            for (path, file) in (state.kept ?? [:]).sorted(by: { $0.value.used < $1.value.used })
            where left > most - most / 10 && path != range.path {
                left -= file.bytes
                gone.append(path)
            }
            return gone
        }
        for path in gone { drop(path) }
    }
}

extension Blocking {
    /// Reads media from the store for players, each waiting for the network. What plays from the disk does not wait behind it.
    static let fetching = Blocking(
        "vigil.fetching", "readings from the store", runningMax: fetchesMax, waitingMax: fetchesWaitingMax)
    /// How many readings there are at once, and wait.
    static let (fetchesMax, fetchesWaitingMax) = (16, 64)
}
