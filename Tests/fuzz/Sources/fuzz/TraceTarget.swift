import Hashing
import Machines

@testable import Trace

/// Files of the trace: any bytes, and what the writer made with one byte changed, which must be noticed.
enum TraceTarget {
    private static let day = UTCDay(wallMs: 1_764_000_000_000)
    private static let file = TraceFolder.File(number: 1, day: day)

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        if feed.byte() & 1 == 0 { written(&feed) } else { read(feed.rest()) }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) {
        let path = ScratchFile.write(file.name, bytes)
        defer { ScratchFile.remove(file.name) }
        _ = FolderRecords.isTrace(path)
        if let scan = try? FileScan(path) { hold(scan.wholeBytes <= scan.bytes, "no more is whole than there is") }
        let steps = steps(TraceQuery())
        _ = self.steps(TraceQuery(camera: "front", sinceMs: .min, untilMs: .max))
        guard let found = try? TraceVerification(TraceFolder(path: ScratchFile.folder)) else { return }
        hold(found.steps <= found.records && steps <= found.steps, "\(steps) of \(found.steps) steps are read")
        hold(found.bytes == Int64(bytes.count), "every byte is looked at")
    }

    private static func steps(_ query: TraceQuery) -> Int {
        guard let source = try? FolderRecords(TraceFolder(path: ScratchFile.folder), only: query) else { return 0 }
        var reader = TraceReader(source, only: query)
        var count = 0
        while let record = try? reader.next() {
            count += 1
            hold(query.admits(record), "only what was asked for")
        }
        return count
    }

    private static func written(_ feed: inout Feed) {
        let (place, change): (UInt16, UInt8) = (feed.number(), feed.byte())
        var text = RecordText(end: .zero, number: 0)
        text.file(1, day)
        let run = TraceRun(id: String(repeating: "a1", count: 16), boot: "", version: "1 of\t\(change)")
        text.run(run, wallMs: 1_764_000_000_000)
        var names: [String] = []
        while !feed.isAtEnd, names.count < 40 {
            let control = feed.byte()
            switch control & 7 {
            case 5: text.lost(Int(control), wallMs: feed.number())
            case 6: text.cut(Int64(control), wallMs: feed.number())
            case 7: text.end(wallMs: feed.number())
            default:
                let name = String(decoding: feed.take(Int(control >> 3)), as: UTF8.self)
                let input = String(decoding: feed.take(Int(feed.byte())), as: UTF8.self)
                guard
                    let step = try? TraceStep(
                        name: name, seq: feed.number(), at: Instant(ms: feed.number()), wallMs: feed.number(),
                        input: input, state: "state", effects: [name])
                else { return hold(false, "a step can be encoded") }
                hold(text.step(step, of: run), "canonical JSON parts no field")
                names.append(name)
            }
        }
        check(text.bytes, names, change, Int(place))
    }

    private static func check(_ bytes: [UInt8], _ names: [String], _ change: UInt8, _ place: Int) {
        bytes.withUnsafeBytes { _ = ScratchFile.write(file.name, $0) }
        defer { ScratchFile.remove(file.name) }
        let folder = TraceFolder(path: ScratchFile.folder)
        guard var source = try? FolderRecords(folder), let whole = try? TraceVerification(folder) else {
            return hold(false, "what was written can be opened")
        }
        var read: [String] = []
        while let record = try? source.next() { read.append(record.camera) }
        hold(read == names && source.damaged == 0, "what was written is read back")
        hold(whole.isWhole && whole.steps == names.count, "what was written is whole: \(whole.findings)")
        guard change != 0 else { return }
        var altered = bytes
        altered[place % bytes.count] ^= change
        altered.withUnsafeBytes { _ = ScratchFile.write(file.name, $0) }
        guard let found = try? TraceVerification(folder) else { return hold(false, "an altered file can be opened") }
        hold(!found.isWhole, "one byte is changed, and nobody notices: \(place % bytes.count)")
    }
}
