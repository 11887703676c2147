internal import Catalog
internal import Journal
internal import Synchronization

/// Keeps what an operator should know: every record of the journal that is a warning or worse, in the catalog, one row for each
/// kind, camera and subject, until somebody clears it.
///
/// Who tells the journal is not held up: what is told waits here, one entry for each row, and is written on a queue of its own, at
/// most once a second, so that a camera that flaps costs one transaction a second.
///
/// `@unchecked Sendable`: `timer` is confined to `queue`.
final class MessageWriter: @unchecked Sendable {
    /// The most changes that wait; what is told beyond them is in the journal alone.
    static let waitingMax = 4_096
    /// How long a change waits for others, and how long after a failure it is tried again, in milliseconds.
    static let writeMs: (soon: Int64, retry: Int64) = (1_000, 10_000)

    fileprivate struct State {
        var waiting: [Catalog.MessageChange] = []
        var catalog: Catalog?
        /// Whether the timer is set, or about to be.
        var isDue = false
    }

    private let queue: any WorkQueue
    private let state = Mutex(State())
    private lazy var timer = queue.timer { [weak self] in self?.write() }

    /// Keeps what `journal` is told from now on.
    init(following journal: Journal, host: any Host) {
        queue = host.queue("vigil.messages")
        journal.follow { [weak self] told in self?.note(told) }
    }

    /// Writes into `catalog` from now on; what held when the last run ended holds no more, or is told again.
    func begin(_ catalog: Catalog, wallMs: Int64) {
        state.withLock { state in
            // What this run has told already comes after the end of the last one.
            state.waiting.insert(.allEnded(wallMs: wallMs), at: 0)
            state.catalog = catalog
            state.isDue = true
        }
        queue.run { self.write() }
    }

    /// Writes what waits, as far as that can be. Blocking.
    func flush() { queue.runAndWait { write() } }

    /// Writes what waits and nothing more: the catalog is about to be closed. Blocking.
    func end() {
        flush()
        state.withLock { $0.catalog = nil }
        queue.runAndWait { timer.set(afterMs: nil) }
    }

    private func note(_ told: ToldMessage) {
        let isNew = state.withLock { state in
            state.add(told)
            guard !state.isDue, state.catalog != nil, !state.waiting.isEmpty else { return false }
            state.isDue = true
            return true
        }
        if isNew { queue.run { self.timer.set(afterMs: Self.writeMs.soon) } }
    }

    // MARK: On the queue

    private func write() {
        let (catalog, changes) = state.withLock { state in
            state.isDue = false
            guard let catalog = state.catalog else { return (Catalog?.none, [Catalog.MessageChange]()) }
            defer { state.waiting = [] }
            return (catalog, state.waiting)
        }
        guard let catalog, !changes.isEmpty else { return }
        do { try catalog.changeMessages(changes) } catch {
            // The journal has them; where the storage is lost they come into the catalog when it is back.
            state.withLock { state in
                state.waiting = Array((changes + state.waiting).prefix(Self.waitingMax))
                state.isDue = true
            }
            timer.set(afterMs: Self.writeMs.retry)
        }
    }
}

extension MessageWriter.State {
    /// Adds what a record says of messages.
    fileprivate mutating func add(_ told: ToldMessage) {
        let subject = told.kind.subject.flatMap { told[$0] }
        if !told.kind.ends.isEmpty {
            append(
                .ended(
                    MessageEnd(
                        kinds: told.kind.ends.map(\.name), camera: told.camera, subject: subject, wallMs: told.wallMs)))
        }
        guard told.priority <= .warning else { return }
        var message = NewMessage(
            kind: told.kind.name, camera: told.camera, subject: subject ?? "", priority: told.priority.word,
            words: told.text, count: 1, firstWallMs: told.wallMs, lastWallMs: told.wallMs,
            overWallMs: told.kind.holds ? nil : told.wallMs)
        // The same again takes the place of what waits, so that a flood is one entry.
        if case .told(let last)? = waiting.last, last.kind == message.kind, last.camera == message.camera,
            last.subject == message.subject
        {
            waiting.removeLast()
            (message.count, message.firstWallMs) = (last.count + 1, last.firstWallMs)
        }
        append(.told(message))
    }

    private mutating func append(_ change: Catalog.MessageChange) {
        // An end that ends nothing that waits is written all the same: it may end what the catalog has.
        guard waiting.count < MessageWriter.waitingMax, waiting.last != change else { return }
        waiting.append(change)
    }
}
