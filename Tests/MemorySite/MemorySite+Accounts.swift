public import Server
internal import Synchronization

extension MemorySite {
    /// Nothing is kept.
    public func keepAccounts() async throws {}

    /// It is remembered.
    public func note(_ note: AuditNote) async { contents.withLock { $0.notes.append(note) } }

    /// Who looked at pictures and took recordings away, in order.
    public var notes: [AuditNote] { contents.withLock { $0.notes } }

    /// Where a page would be.
    public var pageAddress: String? { "http://127.0.0.1:8080" }
}
