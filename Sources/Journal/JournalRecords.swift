internal import Machines
public import Trace

/// The steps among the entries of a journal, and what is told of cameras beside them.
struct JournalRecords: TraceRecordSource {
    private var source: any JournalEntrySource
    private(set) var passedOver = 0
    var damaged: Int { 0 }
    var torn: TornEnd? { source.torn }

    init(_ source: any JournalEntrySource) { self.source = source }

    mutating func next() throws -> TraceRecord? {
        while let entry = try source.next() {
            if let record = try TraceRecord(entry) { return record }
            passedOver += 1
        }
        return nil
    }

    mutating func nextEntry() throws -> TraceEntry? {
        while let entry = try source.next() {
            if let record = try TraceRecord(entry) { return .step(record) }
            passedOver += 1
            if let told = ToldRecord(entry) { return .told(told) }
            if entry.word("MESSAGE_ID") == MessageKind.journalLost.id, let run = entry.word(Field.run.rawValue) {
                return .lost(run: run)
            }
        }
        return nil
    }
}

extension TraceReader {
    /// How a file is written.
    public enum Format: Sendable, Hashable {
        /// Told by the first byte: JSON begins with a brace.
        case automatic
        /// `journalctl -o json --all`, one object a line.
        case json
        /// `journalctl -o export`.
        case export
    }

    /// Reads what journalctl wrote into a file, of it only what the query asks for; `-` is standard input.
    ///
    /// - Throws: ``JournalError/unreadable(path:errno:)``.
    public init(path: String, format: Format = .automatic, only query: TraceQuery = TraceQuery()) throws {
        let bytes = try BlockReader(path: path)
        let isJSON =
            switch format {
            case .json: true
            case .export: false
            case .automatic: try bytes.peek() == UInt8(ascii: "{")
            }
        self.init(
            JournalRecords(isJSON ? JSONEntries(source: bytes) : ExportEntries(source: bytes)), only: query)
    }

    /// Reads the journal of this machine, or the journal files in a folder.
    ///
    /// - Throws: ``JournalError/journalUnreadable(operation:errno:)``.
    public init(journal query: TraceQuery, directory: String? = nil) throws {
        self.init(JournalRecords(try SystemdEntries(query, directory: directory)), only: query)
    }
}

extension TraceRecord {
    /// Reads the fields of a journal entry. Returns nil for an entry that is no trace.
    ///
    /// - Throws: ``JournalError/malformed(line:cause:)`` with the entry's position where it is a trace but not whole.
    init?(_ entry: JournalEntry) throws {
        guard let camera = try entry.text(.trace) else { return nil }
        let (seq, run, at): (UInt64, String, Int64) = (
            try entry.number(.seq), try entry.required(.run), try entry.number(.at)
        )
        let (input, state) = (try entry.required(.input), try entry.text(.state))
        guard let digest = Digest(try entry.required(.digest)) else {
            throw entry.malformed("VIGIL_DIGEST is not 16 lower-case hexadecimal digits")
        }
        let kind = try entry.text(.machine).map(MachineKind.init(rawValue:)) ?? .camera
        self.init(
            kind: kind, camera: camera, seq: seq, run: run, boot: try entry.text(.boot) ?? "", at: Instant(ms: at),
            input: input,
            digest: digest, effects: try entry.text(.effects), state: state,
            version: try entry.text(.version) ?? "", wallMs: entry.wallUsec.map { $0 / 1_000 },
            user: try entry.text(.user))
    }
}

extension ToldRecord {
    /// The kinds in which the steps of a camera are told.
    private static let kinds = Set(MessageKind.ofCameraSteps.flatMap { [$0.id, $0.name] })

    /// A record of a camera, of a kind in which steps are told by MESSAGE_ID or VIGIL_KIND; nil for any other.
    init?(_ entry: JournalEntry) {
        guard let camera = entry.word(Field.camera.rawValue), let run = entry.word(Field.run.rawValue),
            ["MESSAGE_ID", Field.kind.rawValue].contains(where: { entry.word($0).map(Self.kinds.contains) ?? false })
        else { return nil }
        var fields: [String: String] = [:]
        for name in entry.values.keys
        where ![JournalEntry.realtime, Field.camera.rawValue, Field.run.rawValue].contains(name) {
            fields[name] = entry.word(name) ?? ""
        }
        self.init(
            camera: camera, run: run, fields: fields, repeated: entry.repeated,
            wallMs: entry.wallUsec.map { $0 / 1_000 })
    }
}
