internal import Journal
internal import Machines
internal import Synchronization

/// The problems that the journal has told of since this began to follow it: before the storage is opened, so that what is wrong with
/// the storage at the start is among them.
final class HeldProblems: Sendable {
    private let watch = Mutex(ProblemWatch())

    /// Follows `journal` from now on.
    init(following journal: Journal, clock: any Clocks) {
        journal.follow { [weak self] told in
            guard let self, told.kind != .machineStep, told.kind.holds || !told.kind.ends.isEmpty else { return }
            watch.withLock { $0.note(told, at: clock.now()) }
        }
    }

    /// What is to be told by now, each once (`ProblemWatch.due`).
    func due(_ bounds: [String: Int64], at now: Instant) -> [ProblemWatch.News] {
        watch.withLock { $0.due(bounds, at: now) }
    }
}
