internal import Server
internal import Synchronization

/// The clock of a world's accounts, and what they told.
final class AccountTime: Sendable {
    private let now = Mutex(MemorySite.origin.ms)
    private let told = Mutex<[AccountEvent]>([])

    var ms: Int64 { now.withLock { $0 } }
    var events: [AccountEvent] { told.withLock { $0 } }

    func pass(_ ms: Int64) { now.withLock { $0 += ms } }
    func tell(_ event: AccountEvent) { told.withLock { $0.append(event) } }
}
