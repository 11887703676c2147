internal import Glibc

/// The steps in the files of a trace, in their order; what is being written meanwhile is read up to the last whole record.
/// Blocking.
///
/// Records that do not fit into the chain are passed over and counted.
public struct FolderRecords: TraceRecordSource {
    /// How far the wall clock may be set back without a file being taken for one that cannot hold a time, in milliseconds.
    static let slackMs: Int64 = 3_600_000

    private var files: ArraySlice<(number: UInt64, path: String)>
    /// The file that is read, and its number in the folder.
    private var path = ""
    private var number: UInt64?
    /// The number of the newest file of the folder: it alone may end within a record.
    private var newest: UInt64?
    private var lines: FileLines?
    private var chain = Chain()
    /// The runs that were told so far, by their marks.
    private var runs: [String: TraceRun] = [:]
    /// Records that are no step: what begins a file, tells a run, or stands for what was lost.
    public private(set) var passedOver = 0
    /// Records that do not fit into the chain, and files that cannot be read to their end.
    public private(set) var damaged = 0
    /// Where the newest file ends within a record, which nobody writes at present.
    public private(set) var torn: TornEnd?

    /// Reads a folder; files that cannot hold what the query asks for are left out.
    ///
    /// - Throws: ``TraceError/unreadable(path:errno:)``.
    public init(_ folder: TraceFolder, only query: TraceQuery = TraceQuery()) throws(TraceError) {
        let files = try folder.files()
        var wanted: [(number: UInt64, path: String)] = []
        let begins = files.map { Self.beginMs(folder.path(of: $0)) ?? $0.day.beginMs }
        for (index, file) in files.enumerated() {
            if let since = query.sinceMs, begins.indices.contains(index + 1), begins[index + 1] < since &- Self.slackMs
            {
                continue
            }
            if let until = query.untilMs, begins[index] > until &+ Self.slackMs { continue }
            wanted.append((file.number, folder.path(of: file)))
        }
        self.files = wanted[...]
        newest = files.last?.number
    }

    /// Reads one file.
    ///
    /// - Throws: ``TraceError/unreadable(path:errno:)``.
    public init(file path: String) throws(TraceError) {
        files = []
        self.path = path
        lines = try FileLines(path: path)
    }

    /// Whether the file at `path` is one of a trace, as its first record tells.
    public static func isTrace(_ path: String) -> Bool {
        guard let lines = try? FileLines(path: path), case .line(let bytes) = try? lines.next(),
            let line = RecordLine(bytes)
        else { return false }
        return line.kind == .file && line.isFormed
    }

    /// The next step that fits into the chain, of every kind of machine.
    public mutating func next() throws -> TraceRecord? {
        while true {
            guard let piece = try nextPiece() else {
                guard openNext() else { return nil }
                continue
            }
            let bytes: ArraySlice<UInt8>
            switch piece {
            case .line(let line): bytes = line
            case .tooLong:
                damaged += 1
                continue
            case .torn(let length):
                end(within: length)
                continue
            }
            guard let line = RecordLine(bytes), chain.follow(line) else {
                damaged += 1
                continue
            }
            if let run = line.run { runs[run.mark] = run }
            guard line.kind == .step, let record = line.step(of: line.mark.flatMap { runs[$0] }) else {
                passedOver += 1
                continue
            }
            return record
        }
    }

    /// The file ends within a record. Only the newest may: each start cuts the end of the file that it goes on with.
    private mutating func end(within bytes: Int64) {
        guard let lines, !lines.isBeingWritten else { return }
        guard number == newest else { return damaged += 1 }
        torn = TornEnd(file: path, offset: lines.offset - bytes, bytes: bytes)
    }

    /// What comes next in the file. Of a folder one file that fails is left behind, and counted (H5).
    private mutating func nextPiece() throws(TraceError) -> FileLines.Piece? {
        do throws(TraceError) { return try lines?.next() } catch {
            guard number != nil, error.isOfOneFile else { throw error }
            damaged += 1
            (lines, number) = (nil, nil)
            return nil
        }
    }

    /// The next file that is still there. Behind one that is not read the chain begins anew.
    private mutating func openNext() -> Bool {
        lines = nil
        while let file = files.popFirst() {
            let opened: FileLines
            do throws(TraceError) { opened = try FileLines(path: file.path) } catch {
                // Retention may have taken it meanwhile.
                if case .unreadable(_, ENOENT) = error { continue }
                damaged += 1
                number = nil
                continue
            }
            if number.map({ $0 &+ 1 != file.number }) ?? true { chain = Chain() }
            number = file.number
            path = file.path
            lines = opened
            return true
        }
        return false
    }

    /// When a file begins: what its first records tell; nil where they tell nothing.
    private static func beginMs(_ path: String) -> Int64? {
        guard let lines = try? FileLines(path: path) else { return nil }
        for _ in 0..<3 {
            guard case .line(let bytes) = try? lines.next() else { return nil }
            if let wallMs = RecordLine(bytes)?.wallMs { return wallMs }
        }
        return nil
    }
}
