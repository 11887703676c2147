internal import NIOCore
internal import Synchronization

/// Tells of connections that were cut off: one report at once, then one a minute at most, so that no client fills the journal.
final class CutReports: Sendable {
    /// The least time between two reports.
    static let pause = TimeAmount.seconds(60)

    private struct State {
        /// When the next report may come.
        var next = NIODeadline.uptimeNanoseconds(0)
        /// Not told yet.
        var untold = 0
        var last: (peer: String, request: String?, reason: ConnectionCut.Reason)?
    }

    private let tell: @Sendable (ConnectionCut) -> Void
    private let state = Mutex(State())

    init(_ tell: @escaping @Sendable (ConnectionCut) -> Void) { self.tell = tell }

    /// A connection was cut off. What is not told now is told when the pause is over.
    func cut(_ peer: String, _ request: String?, _ reason: ConnectionCut.Reason, on loop: any EventLoop) {
        let (report, later) = state.withLock { state -> (ConnectionCut?, NIODeadline?) in
            state.untold += 1
            state.last = (peer, request, reason)
            if let report = Self.take(&state) { return (report, nil) }
            return (nil, state.untold == 1 ? state.next : nil)
        }
        if let report { tell(report) }
        if let later {
            loop.scheduleTask(deadline: later) { [self] in
                if let report = state.withLock({ Self.take(&$0) }) { tell(report) }
            }
        }
    }

    private static func take(_ state: inout State) -> ConnectionCut? {
        let now = NIODeadline.now()
        guard let last = state.last, state.untold > 0, now >= state.next else { return nil }
        defer { (state.untold, state.next) = (0, now + pause) }
        return ConnectionCut(peer: last.peer, request: last.request, reason: last.reason, count: state.untold)
    }
}
