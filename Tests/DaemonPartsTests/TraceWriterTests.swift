import Foundation
import Machines
import Synchronization
import Testing
import Trace

@testable import Daemon
@testable import Journal

/// A disk that waits at a gate, and fails where it is told to.
private final class GatedDisk: TraceDisk {
    private let gate = NSCondition()
    private let state = Mutex((isShut: false, isHeld: false, code: 0))

    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        gate.lock()
        while state.withLock({
            $0.isHeld = $0.isShut; return $0.isShut
        }) { gate.wait() }
        gate.unlock()
        let code = state.withLock { $0.code }
        return code == 0 ? SystemTraceDisk().write(bytes, to: file) : -code
    }

    func sync(_ file: Int32) -> Int32 { 0 }

    func shut(_ isShut: Bool) {
        gate.lock()
        state.withLock { $0.isShut = isShut }
        gate.broadcast()
        gate.unlock()
    }

    func fail(_ code: Int) { state.withLock { $0.code = code } }

    /// Somebody waits at the gate.
    var isHeld: Bool { state.withLock { $0.isHeld } }
}

@Suite("Keeping the trace")
struct TraceWriterTests {
    /// What the journal was told.
    private final class Told: Sendable {
        let records = Mutex<[(MessageKind, [Field: String])]>([])

        func count(_ kind: MessageKind) -> Int { records.withLock { $0.count { $0.0 == kind } } }

        func value(_ kind: MessageKind, _ field: Field) -> String? {
            records.withLock { $0.last { $0.0 == kind }?.1[field] }
        }
    }

    private let root = NSTemporaryDirectory() + "vigil-writer-\(UUID().uuidString.prefix(8))"
    private let disk = GatedDisk()
    private let told = Told()

    private func writer() throws -> TraceWriter {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let told = told
        let journal = Journal { observed in
            guard case .record(let kind, _, let fields) = observed else { return }
            told.records.withLock { $0.append((kind, Dictionary(fields) { first, _ in first })) }
        }
        let writer = TraceWriter(
            root: root, run: TraceRun(id: RandomID().value, boot: "b", version: "1"),
            bounds: TraceLog.Bounds(keepMs: 86_400_000, maxBytes: 1 << 30), syncMs: 5_000,
            ages: AgeClock(MachineClock(), lastWallMs: nil), host: SystemHost(), journal: journal, disk: disk)
        writer.start()
        return writer
    }

    private func step(_ seq: UInt64, _ camera: String = "front") throws -> TraceStep {
        try TraceStep(
            name: camera, seq: seq, at: Instant(ms: Int64(seq)), wallMs: MachineClock().wallMs(), input: ["n": seq],
            state: ["whole": seq], effects: [seq])
    }

    private func read() throws -> [TraceRecord] {
        var reader = TraceReader(try FolderRecords(TraceFolder(root: root)))
        let records = try reader.readAll()
        #expect(reader.damaged == 0)
        return records
    }

    @Test("Whole states come with the first step, each 256th, and the first of each camera after a loss")
    func slow() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let writer = try writer()
        for seq in 1...300 { writer.keep(try step(UInt64(seq))) }
        writer.flush()
        #expect(try read().filter { $0.state != nil }.map(\.seq) == [1, 256])
        // A disk that does not answer: nobody waits for it, and memory is bounded.
        disk.shut(true)
        writer.keep(try step(301))
        try await waitUntil("a write under way") { disk.isHeld }
        let total = TraceWriter.recordsMax + 500
        for seq in 302..<(302 + total) { writer.keep(try step(UInt64(seq))) }
        disk.shut(false)
        try await waitUntil("all that waited") { told.count(.traceResumed) == 1 }
        let next = UInt64(302 + total)
        for camera in ["front", "back"] { writer.keep(try step(next, camera)) }
        writer.keep(try step(next + 1))
        writer.stop()
        let lost = try #require(told.value(.traceResumed, .count).flatMap(Int.init))
        #expect(lost >= 500 && told.count(.traceFailed) == 0)
        let verification = try TraceVerification(TraceFolder(root: root))
        #expect(verification.isWhole && verification.lost == UInt64(lost))
        let records = try read()
        #expect(records.count + lost == 300 + 1 + total + 3)
        #expect(records.suffix(3).map { $0.state != nil } == [true, true, false])
    }

    @Test("A disk that fails is told once; what waited is written when it is back, and the stop is in the trace")
    func failing() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let writer = try writer()
        writer.keep(try step(1))
        writer.flush()
        disk.fail(Int(ENOSPC))
        for seq in 2...50 {
            writer.keep(try step(UInt64(seq)))
            if seq % 10 == 0 { writer.flush() }
        }
        #expect(told.count(.traceFailed) == 1)
        #expect(told.value(.traceFailed, .why)?.contains("No space left on device") == true)
        disk.fail(0)
        writer.flush()
        #expect(told.value(.traceResumed, .count) == "0")
        writer.stop()
        #expect(try read().map(\.seq) == (1...50).map(UInt64.init))
        let verification = try TraceVerification(TraceFolder(root: root))
        #expect(verification.isWhole && !verification.isBeingWritten)
        writer.keep(try step(51))
        #expect(try read().count == 50)
    }

    @Test("A stop does not wait for a disk that does not answer, and what was left is told when it does")
    func hung() async throws {
        defer { try? FileManager.default.removeItem(atPath: root) }
        let writer = try writer()
        writer.keep(try step(1))
        writer.flush()
        disk.shut(true)
        writer.keep(try step(2))
        writer.stop()
        #expect(try read().map(\.seq) == [1])
        disk.shut(false)
        writer.flush()
        #expect(try read().map(\.seq) == [1, 2])
    }
}
