import Foundation
import Machines

@testable import Trace

/// A storage root of its own, in which traces are written; gone with it.
final class Site {
    /// 2026-11-22T10:00:00Z.
    static let noonMs: Int64 = 1_795_341_600_000
    static let dayMs: Int64 = 86_400_000

    let root: String
    var folder: TraceFolder { TraceFolder(root: root) }
    private var seqs: [String: UInt64] = [:]

    init() throws {
        root = NSTemporaryDirectory() + "vigil-trace-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func log(
        run: String = "0123456789abcdef0123456789abcdef", keepMs: Int64 = 30 * dayMs, maxBytes: Int64 = 1 << 40,
        disk: any TraceDisk = SystemTraceDisk()
    ) -> TraceLog {
        TraceLog(
            root: root, run: TraceRun(id: run, boot: "b007", version: "1.0 beta"),
            bounds: TraceLog.Bounds(keepMs: keepMs, maxBytes: maxBytes), disk: disk)
    }

    /// The next step of a camera or another machine, with a whole state where `state` says so.
    func step(
        _ camera: String = "front", kind: MachineKind = .camera, wallMs: Int64 = noonMs, state: Bool = false,
        input: String = "tick"
    ) throws -> TraceStep {
        let seq = (seqs[camera] ?? 0) + 1
        seqs[camera] = seq
        var step = try TraceStep(
            kind: kind, name: camera, seq: seq, at: Instant(ms: Int64(seq) * 10), wallMs: wallMs, input: [input: seq],
            state: ["seq": seq], effects: [seq])
        if !state { step.state = nil }
        return step
    }

    /// Writes so many steps, and is killed then.
    func writeKilled(steps: Int) throws {
        let killed = log()
        _ = try killed.open()
        for _ in 0..<steps { try killed.write(.step(try step())) }
    }

    /// The paths of the files, in their order.
    func paths() throws -> [String] { try folder.files().map { folder.path(of: $0) } }

    func bytes(_ file: Int = 0) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: try paths()[file])))
    }

    func replace(_ bytes: [UInt8], file: Int = 0) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: try paths()[file]))
    }

    /// The lines of a file, each with its newline.
    func lines(_ file: Int = 0) throws -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        for byte in try bytes(file) {
            lines[lines.count - 1].append(byte)
            if byte == 10 { lines.append([]) }
        }
        return lines.last == [] ? lines.dropLast() : lines
    }

    func verify() throws -> TraceVerification { try TraceVerification(folder) }

    func read(_ query: TraceQuery = TraceQuery()) throws -> (records: [TraceRecord], damaged: Int) {
        var reader = TraceReader(try FolderRecords(folder, only: query), only: query)
        let records = try reader.readAll()
        return (records, reader.damaged)
    }

    /// A trace of few records, closed: a file, a run, steps of two cameras, an end.
    func write(steps: Int = 5) throws {
        let log = log()
        _ = try log.open()
        for index in 0..<steps {
            try log.write(.step(try step(index % 2 == 0 ? "front" : "back", state: index == 0)))
        }
        try log.close(wallMs: Self.noonMs)
    }
}

extension TraceLog {
    /// Appends one item.
    func write(_ item: TraceItem, wallMs: Int64 = Site.noonMs) throws { _ = try append([item], wallMs: wallMs) }
}
