internal import NIOHTTP1

extension ObjectStore {
    /// How many entries a page may have.
    public static let pageMax = 1000

    /// One page of the objects whose keys begin with `prefix`. With a delimiter, keys that go on behind it are told as one common
    /// prefix. `continuation` is that of the page before; `after` begins behind a key. Throws `StoreError`; a page that leads back
    /// to itself is `.invalid`, so a listing ends.
    public func list(
        prefix: String = "", delimiter: String? = nil, after key: String? = nil, continuation: String? = nil,
        max count: Int = pageMax
    ) async throws -> ListPage {
        var call = Call(.listObjects, .GET)
        call.query = [
            ("list-type", "2"), ("max-keys", String(min(max(count, 1), Self.pageMax))), ("encoding-type", "url"),
            ("prefix", prefix),
        ]
        if let delimiter { call.query.append(("delimiter", delimiter)) }
        if let key { call.query.append(("start-after", key)) }
        if let continuation { call.query.append(("continuation-token", continuation)) }
        let root = try document(call, try await send(call))
        guard let page = ListPage(root) else { throw failure(.invalid("the answer is no listing"), .listObjects, nil) }
        guard page.continuation == nil || page.continuation != continuation else {
            throw failure(.invalid("the listing goes round in a circle"), .listObjects, nil)
        }
        // Some stores answer with keys that nobody asked for when a prefix is no folder of theirs.
        guard page.entries.allSatisfy({ $0.key.utf8.starts(with: prefix.utf8) }) else {
            throw failure(.invalid("the listing has keys without the prefix"), .listObjects, nil)
        }
        return page
    }
}
