internal import Journal
internal import Server
internal import Synchronization

/// How many records of each kind the journal was told since the daemon began.
final class JournalCounts: Sendable {
    private let counts = Mutex<[MessageKind: Int64]>([:])

    /// Counts what `journal` is told from now on.
    init(following journal: Journal) {
        journal.follow { [weak self] told in self?.counts.withLock { $0[told.kind, default: 0] += 1 } }
    }

    /// The counts as a metric, each kind with its priority.
    var metric: Metric {
        var metric = Metric(.counter, "vigil_journal_records_total", "Records that the journal was told, by kind.")
        let counts = counts.withLock { $0 }
        for kind in MessageKind.allCases {
            metric.add(Double(counts[kind] ?? 0), ("kind", kind.name), ("priority", kind.priority.word))
        }
        return metric
    }
}
