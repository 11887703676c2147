/// Where finished records go: journald's socket, or stderr.
protocol Outlet: Sendable {
    /// Hands a record over without waiting.
    func offer(_ record: [UInt8]) -> Delivery

    /// Hands a record over on the owned thread; waits at most ``OutletWait/busyMs``.
    func deliver(_ record: [UInt8]) -> Delivery
}

/// How an attempt to hand a record over ended.
enum Delivery: Sendable, Hashable {
    /// The record is out of our hands.
    case delivered
    /// The receiver is slow; the same record may pass later.
    case busy
    /// There is no receiver now; it may come back.
    case gone
    /// This record needs the owned thread (it is large), or the outlet never offers at once.
    case needsThread
    /// This record will never pass.
    case refused(errno: Int32)
}

/// The named waits of the owned thread.
enum OutletWait {
    /// How long one hand-over may wait for a slow receiver, milliseconds.
    static let busyMs: Int64 = 500
    /// How long to wait before a receiver that is gone is tried again, milliseconds.
    static let goneMs: Int64 = 250
}
