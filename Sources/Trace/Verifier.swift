internal import Glibc
internal import Hashing

/// Follows the chain through the files and tells what does not fit. A record that does not is judged with the number of the
/// record behind it, so that one alteration is one finding.
struct Verifier {
    private(set) var result = TraceVerification()
    private var chain = Chain()
    /// The number that comes next; nil where any may.
    private var next: UInt64?
    /// Records that came before their place.
    private var early: Set<UInt64> = []
    private var lastFile: UInt64?
    private var lastWallMs: Int64?

    /// Reads the next file.
    mutating func take(_ file: TraceFolder.File, in folder: TraceFolder, isNewest: Bool) {
        let lines: FileLines
        do { lines = try FileLines(path: folder.path(of: file)) } catch {
            // Retention may have taken the oldest meanwhile; another one is missed at the next.
            if case .unreadable(_, ENOENT) = error { return }
            find(.unreadable, file, nil, nil, "\(error)")
            lastFile = file.number
            return begin()
        }
        if let lastFile, file.number > lastFile, file.number - lastFile > 1 {
            let gone = file.number - lastFile - 1
            find(
                .fileMissing, file, nil, nil,
                gone == 1 ? "the file before it is gone" : "\(gone) files before it are gone")
            begin()
        }
        lastFile = file.number
        do {
            result.files += 1
            try read(lines, file)
            result.bytes += lines.offset
            if isNewest { result.isBeingWritten = lines.isBeingWritten }
        } catch {
            find(.unreadable, file, nil, nil, "\(error)")
            begin()
        }
        if isNewest, result.isBeingWritten {
            result.findings.removeAll { $0.file == file.name && $0.kind == .torn }
        }
    }

    /// Behind what is not known the chain begins anew.
    private mutating func begin() {
        chain = Chain()
        next = nil
        early = []
    }

    private mutating func read(_ lines: FileLines, _ file: TraceFolder.File) throws(TraceError) {
        var (isFirst, isUnproven) = (true, false)
        var piece = try lines.next()
        while let current = piece {
            piece = try lines.next()
            switch current {
            case .torn(let bytes): find(.torn, file, next, nil, "the file ends \(bytes) bytes into a record")
            case .tooLong: damage(nil, file, behind: piece)
            case .line(let bytes):
                let line = RecordLine(bytes)
                if isFirst, let lost = Self.lostBytes(bytes) {
                    isUnproven = line?.digest == nil
                    if let line { _ = chain.follow(line) }
                    lostBegin(lost, file, behind: piece)
                } else if isUnproven, let line {
                    // The digest that it follows is gone; what comes behind follows it.
                    isUnproven = false
                    _ = chain.follow(line)
                    next = line.number.map { $0 &+ 1 }
                } else if let line, chain.follow(line) {
                    if isFirst { name(line, file) }
                    fits(line, file)
                } else {
                    damage(line, file, behind: piece)
                }
            }
            isFirst = false
        }
    }

    /// The first record tells which file it is.
    private mutating func name(_ line: RecordLine, _ file: TraceFolder.File) {
        guard line.kind == .file else {
            return find(.altered, file, line.number, line, "the file does not begin with the record of a file")
        }
        guard line.whole(1) != file.number || line.text(2) != "\(file.day)" else { return }
        find(.altered, file, line.number, line, "the first record is the one of another file")
    }

    private mutating func fits(_ line: RecordLine, _ file: TraceFolder.File) {
        guard let number = line.number else { return }
        if let next, number < next {
            find(.outOfOrder, file, number, line, "it stands behind record \(next - 1)")
        } else {
            if let next, number > next { missing(next, number, line, file) }
            advance(to: number &+ 1)
        }
        result.records += 1
        result.numbers =
            min(result.numbers?.lowerBound ?? number, number)...max(result.numbers?.upperBound ?? 0, number)
        result.end = line.digest?.description
        if lastWallMs == nil, let wallMs = line.wallMs {
            // What was found before any time was read is not later than this.
            for index in result.findings.indices where result.findings[index].wallMs == nil {
                result.findings[index].wallMs = wallMs
            }
        }
        lastWallMs = line.wallMs ?? lastWallMs
        switch line.kind {
        case .step: result.steps += 1
        case .lost: result.lost = result.lost.addingReportingOverflow(line.whole(0) ?? 0).partialValue
        case .cut where result.cuts.count < TraceVerification.keptMax:
            result.cuts.append(
                .init(file: file.name, record: number, bytes: line.whole(0) ?? 0, wallMs: line.wallMs))
        case .file, .run, .cut, .end, nil: break
        }
    }

    /// A record that does not fit, or no record at all.
    private mutating func damage(_ line: RecordLine?, _ file: TraceFolder.File, behind: FileLines.Piece?) {
        var follower: UInt64?
        if case .line(let bytes)? = behind { follower = RecordLine(bytes)?.number }
        guard let expected = next else {
            next = follower ?? line?.number.map { $0 &+ 1 }
            return find(.altered, file, next.map { $0 &- 1 }, line, Self.altered)
        }
        let number = line?.number
        if follower == expected {
            // Something that stands before the record that belongs here.
            if let number, number > expected, early.count < TraceVerification.keptMax { early.insert(number) }
            guard let number, number != expected else {
                return find(.altered, file, expected, line, "something stands before it that is no record")
            }
            return find(.outOfOrder, file, number, line, "it stands before record \(expected)")
        }
        if follower != expected &+ 1, let number, number != expected {
            guard number > expected else {
                return find(.outOfOrder, file, number, line, "it stands behind record \(expected &- 1)")
            }
            missing(expected, number, line, file)
            return advance(to: number &+ 1)
        }
        find(.altered, file, expected, line, Self.altered)
        advance(to: expected &+ 1)
    }

    /// A power cut took the begin of the file: its first blocks were never on the disk, though later ones were.
    private mutating func lostBegin(_ bytes: Int, _ file: TraceFolder.File, behind: FileLines.Piece?) {
        var follower: UInt64?
        if case .line(let text)? = behind { follower = RecordLine(text)?.number }
        let first = next ?? follower.map { $0 &- 1 }
        find(.torn, file, first, nil, "the disk never kept its first \(bytes) bytes, as after a power cut")
        next = follower
    }

    /// How many zeros a line begins with, where they are whole blocks, as a file has them in place of what was not kept; else nil.
    /// No record has a zero in it.
    private static func lostBytes(_ line: ArraySlice<UInt8>) -> Int? {
        let count = line.prefix { $0 == 0 }.count
        return count > 0 && count % blockBytes == 0 ? count : nil
    }

    /// The least that a disk keeps or loses.
    private static let blockBytes = 512
    private static let altered = "it is not the record that was written: its digest is another"

    /// The records from `first` up to `number` are not there, but for those that came early.
    private mutating func missing(
        _ first: UInt64, _ number: UInt64, _ line: RecordLine?, _ file: TraceFolder.File
    ) {
        var first = first
        while first < number, early.contains(first) { first += 1 }
        guard first < number else { return }
        let last = number - 1
        let what = first == last ? "it is gone" : "the records up to \(last) are gone"
        find(.missing, file, first, line, "\(what), and record \(number) cannot be proven to be the one behind")
    }

    private mutating func advance(to number: UInt64) {
        var number = number
        while early.remove(number) != nil { number &+= 1 }
        next = number
    }

    private mutating func find(
        _ kind: TraceVerification.Finding.Kind, _ file: TraceFolder.File, _ record: UInt64?, _ line: RecordLine?,
        _ words: String
    ) {
        guard result.findings.count < TraceVerification.keptMax else {
            result.more += 1
            return
        }
        result.findings.append(
            .init(
                kind: kind, file: file.name, record: record, camera: line?.camera, wallMs: line?.wallMs ?? lastWallMs,
                words: words))
    }
}
