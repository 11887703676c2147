/// A node of a YAML file with its place: what the loader works on. Only text, lists and sections exist; what a text
/// means is decided by the key table, so `off`, `5` and `08:00` need no quotes and mean what they look like.
struct Item: Sendable {
    /// What the node holds.
    enum Content: Sendable {
        /// A value; `plain` when it was written without quotes.
        case text(String, plain: Bool)
        /// A list.
        case list([Item])
        /// A section: keys in the order of the file, each at most once.
        case section([Entry])
    }

    /// A key with its place and value.
    struct Entry: Sendable {
        let key: String
        let place: Place
        let value: Item
    }

    let content: Content
    let place: Place

    /// The value of a key, where this is a section that has it.
    subscript(key: String) -> Item? { entry(key)?.value }

    /// The entry of a key, where this is a section that has it.
    func entry(_ key: String) -> Entry? {
        guard case .section(let entries) = content else { return nil }
        return entries.first { $0.key == key }
    }

    /// The text, where this is one.
    var text: String? {
        if case .text(let text, _) = content { text } else { nil }
    }

    /// The elements, where this is a list.
    var elements: [Item]? {
        if case .list(let items) = content { items } else { nil }
    }

    /// The entries, where this is a section.
    var entries: [Entry]? {
        if case .section(let entries) = content { entries } else { nil }
    }

    /// Whether nothing was written: `key:` with no value, or YAML's words for null.
    var isEmpty: Bool {
        if case .text(let text, plain: true) = content { return AreaText.isNull(text) }
        return false
    }

    /// What kind of thing it is, for a message.
    var kindInWords: String {
        switch content {
        case .text: isEmpty ? "nothing" : "a value"
        case .list: "a list"
        case .section: "a section"
        }
    }
}

/// A place in a file: line and column from 1, counted in characters.
struct Place: Hashable, Comparable, Sendable {
    let line: Int
    let column: Int

    static let start = Place(line: 1, column: 1)

    static func < (left: Place, right: Place) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension Item: Equatable {
    /// Same meaning: places, quotes and the order of keys do not matter.
    static func == (left: Item, right: Item) -> Bool {
        switch (left.content, right.content) {
        case (.text(let a, _), .text(let b, _)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.section(let a), .section(let b)): sameEntries(a, b)
        default: false
        }
    }

    /// Through a dictionary, because a file may have very many keys.
    private static func sameEntries(_ left: [Entry], _ right: [Entry]) -> Bool {
        let values = Dictionary(right.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return left.count == right.count && left.allSatisfy { values[$0.key] == $0.value }
    }
}
