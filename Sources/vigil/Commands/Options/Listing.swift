internal import Wire

/// Goes through the pages of a listing.
struct Listing<Item: Codable & Sendable> {
    /// What to list.
    let filter: ListFilter
    /// Fetches one page.
    let fetch: (ListFilter) async throws -> Page<Item>

    /// Hands out every element, the oldest first, a page at a time.
    func all(_ take: ([Item]) throws -> Void) async throws {
        var filter = filter
        repeat {
            let page = try await fetch(filter)
            try take(page.items)
            filter.after = page.next
        } while filter.after != nil
    }

    /// The newest `count` elements, the oldest of them first, and whether there are older ones.
    func newest(_ count: Int) async throws -> (items: [Item], more: Bool) {
        var filter = filter
        filter.order = .newest
        var items: [Item] = []
        repeat {
            filter.limit = min(ListFilter.pageMax, count - items.count)
            let page = try await fetch(filter)
            items += page.items
            filter.after = page.next
        } while filter.after != nil && items.count < count
        return (items.reversed(), filter.after != nil)
    }

    /// Writes the elements as one JSON array, without holding more than a page.
    func writeJSON(limit: Int?) async throws {
        var first = true
        func write(_ items: [Item]) throws {
            for item in items {
                let text = try Output.text(of: item).split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
                try Output.write(Array(((first ? "[\n" : ",\n") + Visible.text(text)).utf8))
                first = false
            }
        }
        if let limit { try write(try await newest(limit).items) } else { try await all(write) }
        try Output.line(first ? "[]" : "\n]")
    }
}
