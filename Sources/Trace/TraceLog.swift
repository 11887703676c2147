internal import Glibc
internal import Hashing

/// What is put into the trace.
public enum TraceItem: Sendable {
    /// A step of a machine.
    case step(TraceStep)
    /// So many steps could not be kept here.
    case lost(Int, wallMs: Int64)
}

/// Appends to the trace in a folder: one chain of records over many files. Every call blocks on the disk; not thread-safe.
///
/// A call that throws may be made again. What was written of a record that did not come through is taken back before
/// anything else is written. docs/design/trace.md has the procedures.
public final class TraceLog {
    /// How much of the trace is kept.
    public struct Bounds: Sendable, Hashable {
        /// A file is kept for so long after its day, in milliseconds.
        public var keepMs: Int64
        /// All files together, in bytes.
        public var maxBytes: Int64

        /// Bounds.
        public init(keepMs: Int64, maxBytes: Int64) {
            self.keepMs = keepMs
            self.maxBytes = maxBytes
        }

        /// A file of so many bytes is followed by another.
        var fileBytes: Int64 { min(max(maxBytes / 16, 64 << 10), 16 << 20) }
    }

    /// What was found or done that an operator is told of.
    public enum Notice: Sendable, Hashable {
        /// A torn end of a file was cut off behind a record.
        case cut(file: String, bytes: Int64, behind: UInt64)
        /// Records of a file do not fit into the chain; the first of them would have this number.
        case damaged(file: String, records: Int, first: UInt64)
        /// A file cannot be read, or not be deleted; why. It is left as it is.
        case skipped(file: String, why: String)
        /// A file was deleted by a rule.
        case deleted(file: String, bytes: Int64, rule: TraceRule)
    }

    /// The most that one call writes, in bytes.
    private static let chunkBytes = 1 << 20

    private let root: String
    let folder: TraceFolder
    private let run: TraceRun
    private let disk: any TraceDisk
    /// How much is kept; a change takes effect with the next look.
    public var bounds: Bounds
    private var files: TraceFiles?
    private var end = SHA256.Value.zero
    private var number: UInt64 = 0
    /// A torn end that was cut and is not told in the trace yet, in bytes.
    private var cut: Int64?
    /// The run is told in the file that is open.
    private var isRunTold = false
    /// The file that is open may not be written any more.
    private var needsFile = true

    /// A trace in the folder `trace` under a storage root. Nothing is touched before ``open(wallMs:)``.
    public init(root: String, run: TraceRun, bounds: Bounds, disk: any TraceDisk = SystemTraceDisk()) {
        self.root = root
        self.run = run
        self.bounds = bounds
        self.disk = disk
        folder = TraceFolder(root: root)
    }

    /// Opens the folder and finds the end of the chain; once it is open, does nothing.
    ///
    /// - Throws: ``TraceError``.
    public func open() throws(TraceError) -> [Notice] {
        guard files == nil else { return [] }
        let opened = try TraceFiles(root: root, folder: folder, disk: disk)
        var notices: [Notice] = []
        let names = try folder.files()
        for (index, name) in names.enumerated().reversed() {
            let scan: FileScan
            do throws(TraceError) { scan = try FileScan(folder.path(of: name)) } catch {
                // One bad file is one bad file (H5): the chain goes on behind the last that can be read.
                guard error.isOfOneFile else { throw error }
                notices.append(.skipped(file: name.name, why: "\(error)"))
                continue
            }
            let isLast = index == names.count - 1
            if scan.broken > 0 {
                notices.append(.damaged(file: name.name, records: scan.broken, first: scan.firstBroken))
            }
            guard let end = scan.end else {
                // Nothing in it is whole: the start was cut short, or it is damage and stays.
                if isLast, scan.bytes == 0 { try opened.remove(name) }
                continue
            }
            (self.end, number) = (end, scan.number)
            guard isLast else { break }
            try opened.adopt(name, bytes: scan.wholeBytes)
            needsFile = false
            if scan.bytes > scan.wholeBytes {
                cut = scan.bytes - scan.wholeBytes
                notices.append(.cut(file: name.name, bytes: scan.bytes - scan.wholeBytes, behind: scan.number))
            }
            break
        }
        opened.lastNumber = names.last?.number ?? 0
        files = opened
        return notices
    }

    /// Appends as many of the items as one call writes, at least one, and says how many.
    ///
    /// - Returns: how many items are done, and how many steps among them were refused: too long, or not to be parted.
    /// - Throws: ``TraceError``; then none of the items is in the trace.
    public func append(_ items: some Collection<TraceItem>, wallMs: Int64) throws(TraceError) -> (
        done: Int, refused: Int
    ) {
        let files = try ready(wallMs)
        var text = RecordText(end: end, number: number)
        var (done, refused) = (0, 0)
        for item in items {
            switch item {
            case .step(let step): if !text.step(step, of: run) { refused += 1 }
            case .lost(let count, let wallMs): text.lost(count, wallMs: wallMs)
            }
            done += 1
            if text.bytes.count >= Self.chunkBytes { break }
        }
        try write(text, files)
        return (done, refused)
    }

    /// The name of the file that was begun last, or is gone on with; nil before the first.
    public var newestFile: String? { files?.current?.file.name }

    /// Makes what was appended durable.
    ///
    /// - Throws: ``TraceError``; the next record then begins a new file, because what the disk has kept is not known.
    public func sync() throws(TraceError) {
        guard let files else { return }
        do { try files.sync() } catch {
            needsFile = true
            throw error
        }
    }

    /// Deletes the oldest files as far as the bounds ask; the newest file stays.
    ///
    /// - Throws: ``TraceError``, where the folder cannot be read.
    public func retain(wallMs: Int64) throws(TraceError) -> [Notice] {
        guard let files else { return [] }
        let found = try folder.files().map { (file: $0, bytes: files.bytes(of: $0)) }
        var total = found.reduce(0) { $0 + $1.bytes }
        var notices: [Notice] = []
        for oldest in found.dropLast() {
            let isOld = oldest.file.day.endMs < wallMs - bounds.keepMs
            guard isOld || total > bounds.maxBytes else { break }
            do throws(TraceError) { try files.remove(oldest.file) } catch {
                // What cannot be deleted must not keep the others.
                notices.append(.skipped(file: oldest.file.name, why: "\(error)"))
                continue
            }
            notices.append(
                .deleted(file: oldest.file.name, bytes: oldest.bytes, rule: isOld ? .traceAge : .traceSize))
            total -= oldest.bytes
        }
        return notices
    }

    /// Says in the trace that Vigil stopped as it should, makes it durable and closes it.
    ///
    /// - Throws: ``TraceError``; it is closed all the same.
    public func close(wallMs: Int64) throws(TraceError) {
        defer { files = nil }
        guard files != nil, isRunTold else { return }
        let files = try ready(wallMs)
        var text = RecordText(end: end, number: number)
        text.end(wallMs: wallMs)
        try write(text, files)
        try files.sync()
    }

    /// The folder with a file that may be written and tells the run.
    private func ready(_ wallMs: Int64) throws(TraceError) -> TraceFiles {
        guard let files else { throw .moved(path: folder.path) }
        try files.mend()
        let day = UTCDay(wallMs: wallMs)
        if needsFile || files.current.map({ $0.file.day != day || $0.bytes >= bounds.fileBytes }) ?? true {
            // What the old file has not kept by now is told by the chain.
            if !needsFile { try? files.sync() }
            try files.begin(day)
            (needsFile, isRunTold) = (true, false)
        }
        guard !isRunTold else { return files }
        var text = RecordText(end: end, number: number)
        if needsFile, let current = files.current { text.file(current.file.number, current.file.day) }
        if let cut { text.cut(cut, wallMs: wallMs) }
        text.run(run, wallMs: wallMs)
        try write(text, files)
        (needsFile, isRunTold, cut) = (false, true, nil)
        return files
    }

    private func write(_ text: RecordText, _ files: TraceFiles) throws(TraceError) {
        guard !text.bytes.isEmpty else { return }
        try files.write(text.bytes)
        (end, number) = (text.end, text.number)
    }
}

/// The rules by which files of a trace are deleted.
public enum TraceRule: String, Sendable, Hashable, CaseIterable {
    /// The day of the file is too long ago.
    case traceAge
    /// All files together are too large.
    case traceSize
}
