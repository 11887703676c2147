/// A queue in a circle of slots: both ends in constant time, elements by index.
struct Deque<Element> {
    private var slots: ContiguousArray<Element?> = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var first: Element? { at(0) }
    var last: Element? { at(count - 1) }

    /// Element number `index` from the front; nil outside.
    func at(_ index: Int) -> Element? {
        guard index >= 0, index < count else { return nil }
        return slots[slot(index)]
    }

    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        slots[slot(count)] = element
        count += 1
    }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head]
        slots[head] = nil
        head = head + 1 == slots.count ? 0 : head + 1
        count -= 1
        return element
    }

    mutating func removeAll() { self = Deque() }

    private func slot(_ index: Int) -> Int {
        let slot = head + index
        return slot >= slots.count ? slot - slots.count : slot
    }

    private mutating func grow() {
        var wider = ContiguousArray<Element?>()
        let capacity = max(16, slots.count * 2)
        wider.reserveCapacity(capacity)
        for index in 0..<count { wider.append(slots[slot(index)]) }
        for _ in count..<capacity { wider.append(nil) }
        slots = wider
        head = 0
    }
}

extension Deque: Sendable where Element: Sendable {}
