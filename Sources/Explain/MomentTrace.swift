internal import Machines
internal import Trace

/// The trace around a moment, read once: first some hours, then what lies before them where that does not tell. Nothing is
/// read twice; of what is long before the moment only the records from the last whole state on are kept. Blocking.
struct MomentTrace {
    /// How far before the moment each reading reaches, in milliseconds; nil: everything that is left.
    static let backMs: [Int64?] = [3 * 3_600_000, 48 * 3_600_000, 400 * 86_400_000]

    let camera: String
    let wallMs: Int64
    /// It can be read from any moment on; else it is read once from its begin.
    let isRepeatable: Bool
    let onDamage: @Sendable (Int) -> Void
    let open: Explanations.Trace

    /// The explanation of the moment by as much of the trace as it takes.
    func explanation(_ meter: inout ReadingMeter) throws -> Explanation {
        var records: [TraceRecord] = []
        var before: Int64?
        var explainer = Explainer(camera: camera, wallMs: wallMs)
        for backMs in isRepeatable ? Self.backMs : [nil] {
            let since = backMs.map { (Instant(ms: wallMs) + -$0).ms }
            records = try read(since, before, &meter) + records
            explainer = Explainer(camera: camera, wallMs: wallMs)
            for record in records where !explainer.take(record) { break }
            if explainer.isSettled { break }
            before = since
        }
        return explainer.explanation
    }

    /// The records from `since` on, before `end` where that is given, else until a little after the moment.
    private func read(_ since: Int64?, _ end: Int64?, _ meter: inout ReadingMeter) throws -> [TraceRecord] {
        var records: [TraceRecord] = []
        let kept = (Instant(ms: wallMs) + -(Self.backMs[0] ?? 0)).ms
        let last = (Instant(ms: wallMs) + Explainer.afterMs).ms
        var reader = try open(TraceQuery(camera: camera, sinceMs: since, untilMs: end.map { $0 &- 1 }))
        while let record = try reader.next() {
            try meter.count()
            guard record.camera == camera else { continue }
            // A machine begins anew with each whole state, and the moment is far away.
            if record.state != nil, let at = record.wallMs, at <= kept { records.removeAll(keepingCapacity: true) }
            records.append(record)
            // One record more than that: it tells whether the run went on.
            if let at = record.wallMs, at > last { break }
        }
        if reader.damaged > 0 { onDamage(reader.damaged) }
        return records
    }
}
