import Foundation
import Hashing
import Testing

@testable import Trace

@Suite("The chain of the trace")
struct ChainTests {
    @Test("A question about a camera brings the machines of that camera, of the kinds that are asked for")
    func kinds() throws {
        let site = try Site()
        let log = site.log()
        _ = try log.open()
        let machines: [(String, MachineKind)] = [
            ("front", .camera), ("front", .subscription), ("front/1", .session), ("front/2.1", .upload),
            ("front/3.2", .transport), ("front2/3.3", .transport), ("front2", .camera),
        ]
        for (name, kind) in machines { try log.write(.step(try site.step(name, kind: kind, state: true))) }
        try log.close(wallMs: Site.noonMs)
        let all: Set<MachineKind> = [.camera, .session, .subscription, .upload, .transport]
        let front = try site.read(TraceQuery(kinds: all, camera: "front")).records
        #expect(front.map(\.camera) == ["front", "front", "front/1", "front/2.1", "front/3.2"])
        #expect(front.map(\.kind) == machines.prefix(5).map(\.1))
        let transports = try site.read(TraceQuery(kinds: [.transport])).records
        #expect(transports.map(\.camera) == ["front/3.2", "front2/3.3"])
    }

    @Test("What was written is read back, and the chain is SHA-256 of the digest before and the line")
    func roundTrip() throws {
        let site = try Site()
        let log = site.log()
        #expect(try log.open().isEmpty)
        var steps: [TraceStep] = []
        for camera in ["front", "back", "a\tb\n%c ä"] {
            for index in 0..<4 { steps.append(try site.step(camera, state: index == 0)) }
        }
        let done = try log.append(steps.map { .step($0) }, wallMs: Site.noonMs)
        #expect(done.done == steps.count && done.refused == 0)
        try log.sync()
        // Before the end, as a reader in the running daemon does.
        let (records, damaged) = try site.read()
        #expect(damaged == 0 && records.count == steps.count)
        for (record, step) in zip(records, steps) {
            #expect(record.camera == step.name && record.seq == step.seq && record.at == step.at)
            #expect(record.input == step.input && record.digest == step.digest && record.state == step.state)
            #expect(record.run == "0123456789abcdef0123456789abcdef" && record.boot == "b007")
            #expect(record.version == "1.0 beta" && record.wallMs == step.wallMs && record.kind == .camera)
        }
        #expect(try site.read(TraceQuery(camera: "back")).records.count == 4)
        #expect(try site.read(TraceQuery(kinds: [MachineKind(rawValue: "upload")])).records.isEmpty)
        #expect(try site.verify().isBeingWritten)
        try log.close(wallMs: Site.noonMs)
        var before = [UInt8](repeating: UInt8(ascii: "0"), count: 64)
        for line in try site.lines() {
            let body = line.dropLast(66)
            let digest = SHA256.value(of: before + body).hex
            #expect(Array(line.suffix(66)) == [9] + digest + [10])
            before = digest
        }
        let whole = try site.verify()
        #expect(whole.isWhole && whole.steps == steps.count && whole.records == steps.count + 3)
        #expect(whole.end == String(decoding: before, as: UTF8.self) && !whole.isBeingWritten)
    }

    @Test("SHA-256 is the published one, whatever the pieces")
    func hash() {
        #expect(
            SHA256.hex("abc".utf8) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        let whole = SHA256.value(of: bytes)
        for piece in [1, 7, 55, 56, 63, 64, 65, 128, 999] {
            var hash = SHA256()
            var rest = bytes[...]
            while !rest.isEmpty {
                hash.update(rest.prefix(piece))
                rest = rest.dropFirst(piece)
            }
            #expect(hash.finish() == whole)
        }
        #expect(SHA256.Value(hex: whole.hex) == whole)
        #expect(SHA256.Value(hex: Array("\(whole)".uppercased().utf8)) == nil)
    }

    @Test("A byte altered anywhere is found and named, and no altered record is read")
    func altered() throws {
        let site = try Site()
        try site.write(steps: 3)
        let good = try site.bytes()
        // Without the record of the run its id is not known.
        let told = { (record: TraceRecord) in
            "\(record.camera) \(record.seq) \(record.at) \(record.input) \(record.digest)"
        }
        let records = Set(try site.read().records.map(told))
        var number: UInt64 = 1
        let last = UInt64(try site.lines().count)
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 1
            try site.replace(bytes)
            let found = try site.verify()
            let isNewline = good[index] == 10
            #expect(!found.isWhole, "byte \(index)")
            #expect(found.findings.count <= 2, "byte \(index): \(found.findings)")
            let first = try #require(found.findings.first)
            // Without its newline a record takes the next one in; behind the last number nothing tells that it was altered.
            let isNumber = number == last && good[index...].prefix { $0 != 9 }.count < 3 && good[index - 1] == 10
            #expect(first.record == number || isNewline && first.record == number + 1, "byte \(index): \(first)")
            let kind: TraceVerification.Finding.Kind =
                isNewline && number == last ? .torn : isNumber ? .missing : .altered
            #expect(first.kind == kind, "byte \(index): \(first)")
            #expect(Set(try site.read().records.map(told)).isSubset(of: records), "byte \(index)")
            if isNewline { number += 1 }
        }
    }

    @Test("A record that was removed is named with the camera and time of the one behind")
    func removed() throws {
        let site = try Site()
        try site.write()
        let lines = try site.lines()
        for index in 1..<(lines.count - 1) {
            try site.replace(Array((lines[..<index] + lines[(index + 1)...]).joined()))
            let findings = try site.verify().findings
            #expect(findings.map(\.kind) == [.missing] && findings.first?.record == UInt64(index + 1), "\(findings)")
            #expect(findings.first?.wallMs == Site.noonMs)
            if index == 3 { #expect(findings.first?.camera == "front") }
        }
        try site.replace(Array(lines.dropFirst(1).joined()))
        #expect(try site.verify().findings.map(\.kind) == [.altered])
    }

    @Test("Records that were swapped, doubled or put in are named")
    func moved() throws {
        let site = try Site()
        try site.write()
        let lines = try site.lines()
        for index in 2..<(lines.count - 1) {
            var moved = lines
            moved.swapAt(index, index - 1)
            try site.replace(Array(moved.joined()))
            var findings = try site.verify().findings
            #expect(findings.map(\.kind) == [.outOfOrder] && findings.first?.record == UInt64(index + 1), "\(findings)")
            moved = lines
            moved.insert(lines[index], at: index)
            try site.replace(Array(moved.joined()))
            findings = try site.verify().findings
            #expect(findings.map(\.kind) == [.outOfOrder] && findings.first?.record == UInt64(index + 1), "\(findings)")
            moved = lines
            moved.insert(Array("a line of somebody's\n".utf8), at: index)
            try site.replace(Array(moved.joined()))
            findings = try site.verify().findings
            #expect(findings.map(\.kind) == [.altered] && findings.first?.record == UInt64(index + 1), "\(findings)")
        }
    }

    @Test("A file that was taken out, cut short or exchanged is named")
    func files() throws {
        let site = try Site()
        let log = site.log()
        _ = try log.open()
        for day in 0..<4 {
            let wallMs = Site.noonMs + Int64(day) * Site.dayMs
            for _ in 0..<3 { try log.write(.step(try site.step(wallMs: wallMs)), wallMs: wallMs) }
        }
        try log.close(wallMs: Site.noonMs + 3 * Site.dayMs)
        let paths = try site.paths()
        #expect(paths.map { $0.suffix(25) } == (0..<4).map { "0000000\($0 + 1)-2026-11-\($0 + 22).trace" })
        #expect(try site.verify().isWhole)
        let whole = try site.lines(1)
        try site.replace(Array(whole.dropLast().joined()), file: 1)
        var findings = try site.verify().findings
        #expect(findings.map(\.kind) == [.missing] && findings.first?.record == 10, "\(findings)")
        #expect(findings.first?.file == "00000003-2026-11-24.trace")
        try site.replace(Array(whole.joined()), file: 1)
        let second = try site.bytes(1)
        try FileManager.default.removeItem(atPath: paths[1])
        findings = try site.verify().findings
        #expect(findings.map(\.kind) == [.fileMissing] && findings.first?.file == "00000003-2026-11-24.trace")
        // What is left is read: the chain begins anew behind the hole.
        #expect(try site.read().records.count == 9 && site.read().damaged == 0)
        try Data(second).write(to: URL(fileURLWithPath: paths[2]))
        #expect(try !site.verify().isWhole)
        // The oldest files may go; the chain is verified from there.
        try FileManager.default.removeItem(atPath: paths[2])
        try FileManager.default.removeItem(atPath: paths[0])
        #expect(try site.verify().isWhole)
    }

    @Test("Whatever a file holds, reading and verifying end, and keep no more than a line")
    func hostile() throws {
        let site = try Site()
        try site.write()
        let good = try site.bytes()
        var random = SystemRandomNumberGenerator()
        var cases: [[UInt8]] = [
            [], [10], [UInt8](repeating: 10, count: 1_000), [UInt8](repeating: 9, count: 1_000),
            [UInt8](repeating: UInt8(ascii: "9"), count: 9 << 20), [UInt8](repeating: 0, count: 9 << 20) + good,
            Array("99999999999999999999999\tstep\t\t\t\t\t\t\t\t\t".utf8) + [UInt8](repeating: 48, count: 64) + [10],
            Array("18446744073709551615\tlost\t18446744073709551615\t-9223372036854775808\t".utf8)
                + [UInt8](repeating: 48, count: 64) + [10] + good,
        ]
        for _ in 0..<50 { cases.append((0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }) }
        for bytes in cases {
            try site.replace(bytes)
            let verification = try site.verify()
            #expect(bytes.isEmpty || !verification.isWhole)
            #expect(verification.findings.count <= TraceVerification.keptMax)
            _ = try site.read()
            _ = try FileScan(try site.paths()[0])
            let log = site.log()
            _ = try log.open()
            try log.write(.step(try site.step(state: true)))
            try log.close(wallMs: Site.noonMs)
            #expect(try site.read().records.last?.state != nil)
            for path in try site.paths().dropFirst() { try FileManager.default.removeItem(atPath: path) }
            if try site.paths().isEmpty { try site.write() }
        }
        // Numbers at the end of their range, with digests that fit.
        var text = RecordText(end: .zero, number: .max - 2)
        text.file(1, UTCDay(wallMs: Site.noonMs))
        for _ in 0..<4 { text.lost(.max, wallMs: .min) }
        try site.replace(text.bytes)
        #expect(try site.verify().records == 5)
    }

    @Test("Days are those of the calendar, and names of files nothing else")
    func names() {
        #expect(UTCDay(wallMs: Site.noonMs).description == "2026-11-22")
        #expect(UTCDay(wallMs: -1).description == "1969-12-31")
        #expect(UTCDay(wallMs: .max).description == "9999-12-31" && UTCDay(wallMs: .min).description == "0001-01-01")
        for text in ["2026-02-29", "2026-13-01", "26-01-01", "2026-1-01", "2026-11-22 ", "-026-11-22", "2026-+1-22"] {
            #expect(UTCDay(text) == nil, "\(text)")
        }
        #expect(UTCDay("2024-02-29")?.endMs == UTCDay("2024-03-01")?.beginMs)
        for name in ["1-2026-11-22.trace", "00000001-2026-11-22", "00000001-2026-11-31.trace", "x", ".trace"] {
            #expect(TraceFolder.File(name: name) == nil, "\(name)")
        }
        #expect(TraceFolder.File(name: "00000001-2026-11-22.trace")?.number == 1)
        #expect(TraceFolder.File(name: "123456789-2026-11-22.trace")?.number == 123_456_789)
    }
}
