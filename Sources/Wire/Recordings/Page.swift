/// One page of a listing. On the wire the elements are a JSON array and `next` is the header `Vigil-Next`.
public struct Page<Element: Sendable>: Sendable {
    /// The elements, in the order of the filter.
    public var items: [Element]
    /// What the filter of the next page carries as `after`; nil on the last page. Opaque: letters, digits, `-`, `_`,
    /// `.`.
    public var next: String?

    /// A page.
    public init(items: [Element], next: String? = nil) {
        self.items = items
        self.next = next
    }
}

extension Page: Equatable where Element: Equatable {}
