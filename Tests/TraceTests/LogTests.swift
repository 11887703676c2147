import Foundation
import Glibc
import Synchronization
import Testing

@testable import Trace

/// A disk that takes so many bytes and then fails, until it is mended.
private final class FailingDisk: TraceDisk {
    struct State: Sendable {
        /// Bytes that it takes before it fails; nil: all.
        var room: Int?
        var code = ENOSPC
        var syncCode: Int32 = 0
        /// The most that one call takes.
        var pieceMax = Int.max
    }

    let state = Mutex(State())

    func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Int {
        state.withLock { state in
            let count = min(bytes.count, state.pieceMax, state.room ?? .max)
            guard count > 0 else { return -Int(state.code) }
            state.room = state.room.map { $0 - count }
            return SystemTraceDisk().write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: file)
        }
    }

    func sync(_ file: Int32) -> Int32 { state.withLock { $0.syncCode } }
}

@Suite("Writing the trace")
struct LogTests {
    @Test("A record that is torn at any byte is cut off at the next start, told, and nothing else is lost")
    func torn() throws {
        let site = try Site()
        try site.writeKilled(steps: 3)
        let lines = try site.lines()
        let last = try #require(lines.last)
        let whole = Array(lines.dropLast().joined())
        let path = try site.paths()[0]
        for length in 0..<last.count {
            try site.replace(whole + last.prefix(length))
            #expect(try site.verify().findings.map(\.kind) == (length == 0 ? [] : [.torn]))
            let log = site.log(run: "fedcba9876543210fedcba9876543210")
            let notices = try log.open()
            #expect(
                notices
                    == (length == 0
                        ? [] : [.cut(file: String(path.suffix(25)), bytes: Int64(length), behind: 4)]))
            try log.write(.step(try site.step("later", state: true)))
            try log.close(wallMs: Site.noonMs)
            let verification = try site.verify()
            #expect(verification.isWhole, "\(verification.findings)")
            #expect(verification.cuts.map(\.bytes) == (length == 0 ? [] : [Int64(length)]))
            let records = try site.read().records
            #expect(records.map(\.camera) == ["front", "front", "later"])
            #expect(records.last?.run == "fedcba9876543210fedcba9876543210")
            #expect(try site.paths() == [path])
        }
    }

    @Test("Damage before the end is told and left as it is; the chain goes on behind it")
    func damaged() throws {
        let site = try Site()
        try site.write()
        var bytes = try site.bytes()
        let lines = try site.lines()
        bytes[lines[..<4].joined().count - 80] ^= 1
        try site.replace(bytes)
        let log = site.log()
        #expect(try log.open() == [.damaged(file: String(try site.paths()[0].suffix(25)), records: 1, first: 4)])
        try log.write(.step(try site.step()))
        try log.close(wallMs: Site.noonMs)
        #expect(try Array(site.bytes().prefix(bytes.count)) == bytes)
        #expect(try site.verify().findings.map(\.record) == [4])
        // What follows the damage cannot be read as if nothing had been: the record itself is left out.
        #expect(try site.read().records.count == 5 && site.read().damaged == 1)
    }

    @Test("What a full disk took of a record is taken back, at each byte; what waits is written when there is room")
    func full() throws {
        let site = try Site()
        let disk = FailingDisk()
        let log = site.log(disk: disk)
        _ = try log.open()
        try log.write(.step(try site.step()))
        let size = try site.bytes().count
        for room in stride(from: 0, to: 180, by: 7) {
            let step = try site.step()
            let before = try site.bytes()
            disk.state.withLock { ($0.room, $0.code) = (room, room % 2 == 0 ? ENOSPC : EIO) }
            do {
                try log.write(.step(step))
                // The whole record found room.
                continue
            } catch let error as TraceError {
                #expect("\(error)".contains("write \(site.root)/trace/00000001-2026-11-22.trace: "))
            }
            #expect(try site.bytes() == before)
            disk.state.withLock { ($0.room, $0.pieceMax) = (nil, 1 + room) }
            try log.write(.step(step))
        }
        disk.state.withLock { $0.room = nil }
        #expect(try site.bytes().count > size)
        try log.close(wallMs: Site.noonMs)
        let verification = try site.verify()
        #expect(verification.isWhole && verification.steps == 27)
    }

    @Test("A file whose first records do not find room is begun again, and no number is left out")
    func begin() throws {
        let site = try Site()
        let disk = FailingDisk()
        let log = site.log(disk: disk)
        _ = try log.open()
        for (day, room) in [0, 1, 60, 150, 300].enumerated() {
            let wallMs = Site.noonMs + Int64(day) * Site.dayMs
            disk.state.withLock { $0.room = room }
            for _ in 0..<2 {
                #expect(throws: TraceError.self) { try log.write(.step(try site.step()), wallMs: wallMs) }
            }
            // The failure may last over midnight.
            disk.state.withLock { $0.room = nil }
            try log.write(.step(try site.step()), wallMs: wallMs + Site.dayMs / 2)
        }
        try log.close(wallMs: Site.noonMs + 5 * Site.dayMs)
        let verification = try site.verify()
        #expect(verification.isWhole, "\(verification.findings)")
        #expect(verification.steps == 5)
    }

    @Test("After a sync that failed the next record begins a new file, which follows the old one")
    func syncFailure() throws {
        let site = try Site()
        let disk = FailingDisk()
        let log = site.log(disk: disk)
        _ = try log.open()
        try log.write(.step(try site.step()))
        disk.state.withLock { $0.syncCode = EIO }
        #expect(throws: TraceError.self) { try log.sync() }
        disk.state.withLock { $0.syncCode = 0 }
        try log.write(.step(try site.step()))
        try log.close(wallMs: Site.noonMs)
        #expect(try site.paths().count == 2 && site.verify().isWhole)
    }

    @Test("A folder that somebody took away is made again; a root that is another one is not written")
    func moved() throws {
        let site = try Site()
        let disk = FailingDisk()
        let log = site.log(disk: disk)
        _ = try log.open()
        try log.write(.step(try site.step()))
        try FileManager.default.removeItem(atPath: site.folder.path)
        disk.state.withLock { $0.room = 0 }
        #expect(throws: TraceError.self) { try log.write(.step(try site.step())) }
        disk.state.withLock { $0.room = nil }
        try log.write(.step(try site.step()))
        #expect(try site.verify().isWhole && site.read().records.count == 1)
        disk.state.withLock { $0.room = 0 }
        #expect(throws: TraceError.self) { try log.write(.step(try site.step())) }
        disk.state.withLock { $0.room = nil }
        let aside = site.root + "-aside"
        try FileManager.default.moveItem(atPath: site.root, toPath: aside)
        defer { try? FileManager.default.removeItem(atPath: aside) }
        try FileManager.default.createDirectory(atPath: site.root, withIntermediateDirectories: true)
        #expect(throws: TraceError.moved(path: site.folder.path)) { try log.write(.step(try site.step())) }
        #expect(!site.folder.exists)
    }

    @Test("A new day and a large file begin another; age and size delete the oldest, and the rest is verified")
    func retention() throws {
        let site = try Site()
        let log = site.log(keepMs: 2 * Site.dayMs)
        _ = try log.open()
        for day in 0..<5 {
            let wallMs = Site.noonMs + Int64(day) * Site.dayMs
            try log.write(.step(try site.step(wallMs: wallMs)), wallMs: wallMs)
        }
        let now = Site.noonMs + 4 * Site.dayMs
        let old = try log.retain(wallMs: now)
        let sizes = old.map { if case .deleted(_, let bytes, .traceAge) = $0 { bytes } else { Int64(0) } }
        #expect(sizes.count == 2 && sizes.allSatisfy { $0 > 0 }, "\(old)")
        log.bounds = TraceLog.Bounds(keepMs: 30 * Site.dayMs, maxBytes: 1)
        let large = try log.retain(wallMs: now)
        #expect(
            large.count == 2 && large.allSatisfy { if case .deleted(_, _, .traceSize) = $0 { true } else { false } })
        #expect(try site.paths().count == 1 && site.verify().isWhole)
        log.bounds = TraceLog.Bounds(keepMs: 30 * Site.dayMs, maxBytes: 0)
        for _ in 0..<600 { try log.write(.step(try site.step(wallMs: now, state: true)), wallMs: now) }
        #expect(try site.paths().count > 1)
        try log.close(wallMs: now)
        #expect(try site.verify().isWhole)
        // Times tell which files are read.
        let late = try site.read(TraceQuery(sinceMs: now + 2 * Site.dayMs))
        #expect(late.records.isEmpty && late.damaged == 0)
    }

    @Test("The chain goes over restarts, on one day in one file; each step is of its own run")
    func restarts() throws {
        let site = try Site()
        for run in 1...4 {
            let log = site.log(run: String(repeating: "\(run)", count: 32))
            _ = try log.open()
            try log.write(.step(try site.step(state: true)), wallMs: Site.noonMs)
            // Every second one is killed.
            if run % 2 == 0 { try log.close(wallMs: Site.noonMs) }
        }
        #expect(try site.paths().count == 1 && site.verify().isWhole)
        #expect(try site.read().records.map { String($0.run.prefix(1)) } == ["1", "2", "3", "4"])
        #expect(try site.read(TraceQuery(run: "33")).records.count == 1)
    }

    @Test("A step that is too long, or would part lines, is refused and counted")
    func refused() throws {
        let site = try Site()
        let log = site.log()
        _ = try log.open()
        var long = try site.step(state: true)
        long.state = String(repeating: "x", count: RecordLine.bytesMax)
        var parted = try site.step(state: true)
        parted.state = "a\nb"
        let done = try log.append([.step(long), .step(parted), .step(try site.step())], wallMs: Site.noonMs)
        #expect(done.done == 3 && done.refused == 2)
        #expect(try site.read().records.map(\.seq) == [3] && site.verify().isWhole)
    }
}
