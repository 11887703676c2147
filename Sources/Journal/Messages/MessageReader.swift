public import Trace

/// Reads what Vigil told back from the journal, by kind: from `journalctl -o json --all` or `-o export` in a file or on
/// standard input, or from the journal itself. Entries of other kinds are passed over. Blocking.
public struct MessageReader {
    /// One record.
    public struct Record: Sendable, Hashable {
        /// When it was told, milliseconds since 1970.
        public let wallMs: Int64
        /// Its kind.
        public let kind: MessageKind
        /// Vigil's own fields; what is not UTF-8 or was left out for its length is missing.
        public let fields: [Field: String]
    }

    private let kinds: Set<MessageKind>
    private let range: ClosedRange<Int64>
    private var source: any JournalEntrySource
    private let bytes: BlockReader?

    /// Reads records of `kinds` from the journal, or where `path` names one from a file (`-` for standard input), within the
    /// query's run and times; its camera does not matter.
    ///
    /// - Throws: ``JournalError``, where the journal or file cannot be opened.
    public init(kinds: Set<MessageKind>, path: String? = nil, query: TraceQuery = TraceQuery()) throws {
        self.kinds = kinds
        range = (query.sinceMs ?? .min)...max(query.untilMs ?? .max, query.sinceMs ?? .min)
        guard let path else {
            source = try SystemdEntries(recordsOf: kinds.sorted { $0.id < $1.id }, query)
            bytes = nil
            return
        }
        let bytes = try BlockReader(path: path)
        self.bytes = bytes
        let isJSON = try bytes.peek() == UInt8(ascii: "{")
        source = isJSON ? JSONEntries(source: bytes) : ExportEntries(source: bytes)
    }

    /// The next record, or nil at the end.
    ///
    /// - Throws: ``JournalError``, for a file that is no journal, and the errors of reading.
    public mutating func next() throws -> Record? {
        while let entry = try source.next() {
            guard let kind = entry.word("MESSAGE_ID").flatMap(MessageKind.init(rawValue:)), kinds.contains(kind),
                let usec = entry.word(JournalEntry.realtime).flatMap(Int64.init)
            else { continue }
            let wallMs = usec / 1_000
            guard range.contains(wallMs) else { continue }
            var fields: [Field: String] = [:]
            for field in Field.allCases { fields[field] = entry.word(field.rawValue) }
            return Record(wallMs: wallMs, kind: kind, fields: fields)
        }
        if let torn = source.torn {
            throw JournalError.malformed(
                line: bytes?.line ?? 0, cause: "the file ends within an entry, at byte \(torn.offset)")
        }
        return nil
    }
}
