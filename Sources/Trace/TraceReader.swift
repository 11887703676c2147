/// A source of steps, in the order in which they are stored. Blocking.
public protocol TraceRecordSource {
    /// The next step, or nil at the end.
    mutating func next() throws -> TraceRecord?
    /// The next step or what else the source has to tell of cameras, or nil at the end.
    mutating func nextEntry() throws -> TraceEntry?
    /// Entries passed over because they are no step.
    var passedOver: Int { get }
    /// Records passed over because they do not fit into the chain of the trace.
    var damaged: Int { get }
    /// Where the source ends within a record; nil where it ends behind a whole one, or is being written.
    var torn: TornEnd? { get }
}

extension TraceRecordSource {
    /// The next step: a trace holds nothing else.
    public mutating func nextEntry() throws -> TraceEntry? { try next().map { .step($0) } }
}

/// A record that breaks off where its source ends: the writer was killed, or the power failed, in the middle of it.
public struct TornEnd: Sendable, Hashable {
    /// The file.
    public let file: String
    /// Where the record begins in it, in bytes.
    public let offset: Int64
    /// How many bytes of it are there.
    public let bytes: Int64

    /// Such an end.
    public init(file: String, offset: Int64, bytes: Int64) {
        self.file = file
        self.offset = offset
        self.bytes = bytes
    }
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

    /// Where the source ends within a record; known once everything is read.
    public var torn: TornEnd? { source.torn }

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

    /// The next step, or the next record about a camera where the query asks for these; nil at the end.
    ///
    /// - Throws: as ``next()``.
    public mutating func nextEntry() throws -> TraceEntry? {
        guard query.withTold else { return try next().map { .step($0) } }
        while let entry = try source.nextEntry() {
            guard query.admits(entry) else { continue }
            if case .step(let record) = entry { gaps.note(record) }
            return entry
        }
        return nil
    }
}
