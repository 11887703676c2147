internal import Journal
internal import Machines
internal import Synchronization

/// Where threads, queues and requests put the facts for one camera, in the order in which they happened.
///
/// Any thread may put; one actor takes. Bounded: should the actor fall so far behind, facts are lost and counted, and the
/// machine's own bounds bring it back.
final class CameraInbox: Sendable {
    /// A fact with the moment at which it was put in.
    struct Item: Sendable {
        let event: Camera.Event
        let at: Instant
    }

    /// The most facts that wait.
    static let limit = 4_096

    let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let clock = MachineClock()
    private let lostCount = Mutex(0)

    init() {
        (items, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// Facts that found no room.
    var lost: Int { lostCount.withLock { $0 } }

    /// Puts a fact in; never blocks.
    func tell(_ event: Camera.Event) {
        if case .dropped = continuation.yield(Item(event: event, at: clock.now())) {
            lostCount.withLock { $0 += 1 }
        }
    }

    /// No more facts; what waits is still taken.
    func finish() { continuation.finish() }
}
