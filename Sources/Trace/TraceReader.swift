/// A source of steps, in the order in which they are stored. Blocking.
public protocol TraceRecordSource {
    /// The next step, or nil at the end.
    mutating func next() throws -> TraceRecord?
    /// Entries passed over because they are no step.
    var passedOver: Int { get }
    /// Records passed over because they do not fit into the chain of the trace.
    var damaged: Int { get }
}

/// Reads the trace of the machines back, from wherever it is kept. Blocking.
public struct TraceReader {
    private var source: any TraceRecordSource
    private let query: TraceQuery
    /// Which steps are missing among those read so far.
    public private(set) var gaps = TraceGaps()

    /// Reads from a source, of it only what the query asks for.
    public init(_ source: any TraceRecordSource, only query: TraceQuery = TraceQuery()) {
        self.source = source
        self.query = query
    }

    /// Entries passed over because they are no trace.
    public var passedOver: Int { source.passedOver }

    /// Records passed over because they do not fit into the chain of the trace; `vigil trace verify` names them.
    public var damaged: Int { source.damaged }

    /// The next step, or nil at the end.
    ///
    /// - Throws: the errors of the source, with what was read and why that failed.
    public mutating func next() throws -> TraceRecord? {
        while let record = try source.next() {
            guard query.admits(record) else { continue }
            gaps.note(record)
            return record
        }
        return nil
    }

    /// All steps that are left.
    public mutating func readAll() throws -> [TraceRecord] {
        var records: [TraceRecord] = []
        while let record = try next() { records.append(record) }
        return records
    }
}
