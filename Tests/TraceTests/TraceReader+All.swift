import Trace

/// JournalTests and DaemonPartsTests share it, by links.
extension TraceReader {
    /// All steps that are left.
    mutating func readAll() throws -> [TraceRecord] {
        var records: [TraceRecord] = []
        while let record = try next() { records.append(record) }
        return records
    }
}
