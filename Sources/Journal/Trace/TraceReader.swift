/// Reads the trace of the machines back: from `journalctl -o json` or `-o export` in a file or on standard input, or from
/// the journal itself. Entries that are no trace, and unknown fields, are passed over. Blocking.
public struct TraceReader {
    /// How a file is written.
    public enum Format: Sendable, Hashable {
        /// Told by the first byte: JSON begins with a brace.
        case automatic
        /// `journalctl -o json --all`, one object a line.
        case json
        /// `journalctl -o export`.
        case export
    }

    private var source: any JournalEntrySource
    private let query: TraceQuery
    /// Which steps are missing among those read so far.
    public private(set) var gaps = TraceGaps()
    /// Entries passed over because they are no trace.
    public private(set) var passedOver = 0

    /// Reads a file, of it only what the query asks for; `-` is standard input.
    ///
    /// - Throws: ``JournalError/unreadable(path:errno:)``.
    public init(path: String, format: Format = .automatic, only query: TraceQuery = TraceQuery()) throws {
        self.query = query
        let bytes = try ByteSource(path: path)
        switch format {
        case .json: source = JSONEntries(source: bytes)
        case .export: source = ExportEntries(source: bytes)
        case .automatic:
            let isJSON = try bytes.peek() == UInt8(ascii: "{")
            source = isJSON ? JSONEntries(source: bytes) : ExportEntries(source: bytes)
        }
    }

    /// Reads the journal.
    ///
    /// - Throws: ``JournalError/journalUnreadable(operation:errno:)``.
    public init(journal query: TraceQuery) throws {
        self.query = query
        source = try SystemdEntries(query)
    }

    /// The next step, or nil at the end.
    ///
    /// - Throws: ``JournalError/malformed(line:cause:)``, and the errors of reading.
    public mutating func next() throws -> TraceRecord? {
        while let entry = try source.next() {
            guard let record = try TraceRecord(entry) else {
                passedOver += 1
                continue
            }
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
