internal import Hashing
internal import Synchronization

/// A small object that a store has taken, and that nothing has proved yet.
public struct UnprovedObject: Sendable, Hashable {
    /// Its key.
    public let key: String
    let bytes: [UInt8]
    let sums: Sums
}

extension ObjectStore {
    /// Sends bytes in memory and proves nothing: that is to be done by `prove`, of many objects at once. Throws `StoreError`.
    public func send(
        _ bytes: [UInt8], as key: String, _ options: PutOptions = PutOptions()
    ) async throws -> UnprovedObject {
        let sums = Summing.sums(of: bytes)
        try await send(.bytes(bytes), sums, as: key, options)
        return UnprovedObject(key: key, bytes: bytes, sums: sums)
    }

    /// Proves that objects whose keys begin with `prefix` are there as they were sent: by one listing of at most `most` keys, where that
    /// tells lengths and entity tags which are their MD5. What that does not prove is asked for by itself, as after a `put`.
    ///
    /// Throws `StoreError`: `.mismatch` for an object that is not there, or with other bytes.
    public func prove(_ objects: [UnprovedObject], below prefix: String, atMost most: Int) async throws {
        var rest = objects
        if objects.count > 1, habits.withLock({ $0.listsTags }) {
            let told = try await entries(below: prefix, atMost: most)
            rest.removeAll { object in
                guard let entry = told[object.key], entry.bytes == object.sums.bytes else { return false }
                return entry.etag?.lowercased() == object.sums.etag
            }
            // What is not listed says nothing of what listings tell.
            let isUntold = rest.count == objects.count && rest.allSatisfy { told[$0.key] != nil }
            if isUntold { habits.withLock { $0.listsTags = false } }
        }
        for object in rest {
            _ = try await verify(
                object.key, Expectation(object.sums), .told, .putObject, whole: MemorySource(object.bytes))
        }
    }

    /// The first objects below a prefix, by their keys; none where the store cannot list, or does not let it.
    private func entries(below prefix: String, atMost most: Int) async throws -> [String: ListPage.Entry] {
        do {
            let page = try await list(prefix: prefix, max: most)
            return Dictionary(page.entries.map { ($0.key, $0) }) { first, _ in first }
        } catch let error as StoreError {
            switch error.cause {
            case .invalid: break
            case .refused: habits.withLock { $0.listsTags = false }
            default: throw error
            }
            return [:]
        }
    }
}
