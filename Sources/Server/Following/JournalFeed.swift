internal import Synchronization

/// The newest records of the journal, kept in memory within bounds for those who follow it. Each reader has a place in it and no
/// queue of its own: one that is slow costs nothing, and is told how many records it has missed.
public final class JournalFeed: Sendable {
    /// What is kept.
    public struct Bounds: Hashable, Sendable {
        /// Most records.
        public var records: Int
        /// Most bytes of records, about.
        public var bytes: Int

        /// Bounds; without a number, those of the daemon.
        public init(records: Int = 4_096, bytes: Int = 4 << 20) {
            self.records = records
            self.bytes = bytes
        }
    }

    /// Where a reader stands.
    struct Position: Hashable, Sendable {
        /// The number of the last record that it has read or passed over; 0: none.
        var number: UInt64
    }

    /// What is new for a reader.
    struct News: Sendable {
        /// Records with their numbers, in order.
        var records: [(number: UInt64, record: JournalRecord)] = []
        /// How many records before them are not kept any more, those about other cameras included.
        var missed: UInt64 = 0
        /// Whether there is more to be read at once.
        var hasMore = false
        /// Whether nothing will come any more.
        var isOver = false
    }

    private struct State {
        var records: [JournalRecord] = []
        /// Records before this index are kept no more; the array is cut back when they are as many as those that are.
        var head = 0
        var bytes = 0
        /// The number of the last record; the first one is 1.
        var last: UInt64 = 0
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastReader = 0
        var isOver = false

        var count: Int { records.count - head }
        /// The number of the first record that is kept.
        var first: UInt64 { last + 1 - UInt64(count) }
    }

    /// The most records that one reading gives.
    static let batchMax = 64

    /// The id of the daemon's run, which every id of a record begins with.
    let run: String
    private let bounds: Bounds
    private let state = Mutex(State())

    /// An empty feed of one run of the daemon.
    /// - Parameter run: letters, digits and hyphens.
    public init(run: String, bounds: Bounds = Bounds()) {
        self.run = run
        self.bounds = bounds
    }

    /// Adds a record. Never blocks.
    public func add(_ record: JournalRecord) {
        let readers = state.withLock { state in
            state.records.append(record)
            state.bytes += record.bytes
            state.last += 1
            while state.count > bounds.records || state.bytes > bounds.bytes && state.count > 1 {
                state.bytes -= state.records[state.head].bytes
                state.head += 1
            }
            if state.head >= state.count {
                state.records.removeFirst(state.head)
                state.head = 0
            }
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// Ends every reader when it has read what there is.
    public func end() {
        let readers = state.withLock { state in
            state.isOver = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield() }
    }

    /// Where a reader stands that has got the record of this id; the newest where nil. Of an id of another run, and of one that
    /// was never given, everything that is kept is new.
    func position(after id: String?) -> (position: Position, isKnown: Bool) {
        let last = state.withLock { $0.last }
        guard let id else { return (Position(number: last), true) }
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == run, let number = UInt64(parts[1]), number <= last else {
            return (Position(number: 0), false)
        }
        return (Position(number: number), true)
    }

    /// The id of the record of that number.
    func id(_ number: UInt64) -> String { "\(run).\(number)" }

    /// What is new behind `position`, which moves on, among the records that `isWanted` lets pass.
    func read(_ position: inout Position, where isWanted: (JournalRecord) -> Bool) -> News {
        state.withLock { state in
            var news = News()
            if position.number + 1 < state.first {
                news.missed = state.first - 1 - position.number
                position.number = state.first - 1
            }
            while position.number < state.last, news.records.count < Self.batchMax {
                position.number += 1
                let record = state.records[state.head + Int(position.number - state.first)]
                if isWanted(record) { news.records.append((position.number, record)) }
            }
            news.hasMore = position.number < state.last
            news.isOver = state.isOver && !news.hasMore
            return news
        }
    }

    /// Wakes its reader for each record; several that nobody waits for are one.
    func wakes() -> (stream: AsyncStream<Void>, wake: AsyncStream<Void>.Continuation) {
        let (stream, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastReader += 1
            state.readers[state.lastReader] = wake
            return state.lastReader
        }
        wake.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.readers.removeValue(forKey: number) } }
        return (stream, wake)
    }
}
