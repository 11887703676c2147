/// What is to happen, by virtual time: a binary heap. Things of the same millisecond come in an order that the seed chose.
struct EventQueue {
    private struct Entry {
        let at: Int64
        let tie: UInt64
        let work: () -> Void
    }

    private var heap: [Entry] = []

    /// When the next thing happens; nil if nothing does.
    var next: Int64? { heap.first?.at }

    var count: Int { heap.count }

    mutating func add(at: Int64, tie: UInt64, _ work: @escaping () -> Void) {
        heap.append(Entry(at: at, tie: tie, work: work))
        var child = heap.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func take() -> (at: Int64, work: () -> Void)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.at, first.work)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(child, least) {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func isBefore(_ a: Int, _ b: Int) -> Bool {
        heap[a].at != heap[b].at ? heap[a].at < heap[b].at : heap[a].tie < heap[b].tie
    }
}
