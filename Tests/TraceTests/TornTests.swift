import Foundation
import Hashing
import Machines
import Testing

@testable import Trace

@Suite("Reading a trace whose end is torn, and one of a version before")
struct TornTests {
    private func torn(_ site: Site) throws -> (records: Int, damaged: Int, torn: TornEnd?) {
        var reader = TraceReader(try FolderRecords(site.folder))
        let records = try reader.readAll()
        return (records.count, reader.damaged, reader.torn)
    }

    @Test("A last record that breaks off at any byte is named with file, place and length, and is no damage")
    func last() throws {
        let site = try Site()
        try site.writeKilled(steps: 3)
        let lines = try site.lines()
        let whole = Array(lines.dropLast().joined())
        let last = try #require(lines.last)
        let path = try site.paths()[0]
        for length in 0..<last.count {
            try site.replace(whole + last.prefix(length))
            let expected = length == 0 ? nil : TornEnd(file: path, offset: Int64(whole.count), bytes: Int64(length))
            let found = try torn(site)
            #expect(found.records == 2 && found.damaged == 0 && found.torn == expected)
            var file = TraceReader(try FolderRecords(file: path))
            #expect(try file.readAll().count == 2 && file.torn == expected)
        }
        // Behind a line that is whole again it is no end.
        try site.replace(whole + last.prefix(20) + [10] + last)
        #expect(try torn(site).damaged == 1)
        #expect(try torn(site).torn == nil)
    }

    @Test("What is torn in the middle of a trace is damage; what is being written is neither")
    func middle() throws {
        let site = try Site()
        try site.write()
        let log = site.log()
        _ = try log.open()
        try log.write(.step(try site.step()))
        try site.replace(try site.bytes() + Array("9\tst".utf8))
        #expect(try torn(site).torn == nil && torn(site).damaged == 0)
        try log.close(wallMs: Site.noonMs)
        let other = try Site()
        try other.write()
        let next = other.log()
        _ = try next.open()
        try next.write(.step(try other.step(wallMs: Site.noonMs + Site.dayMs)), wallMs: Site.noonMs + Site.dayMs)
        try next.close(wallMs: Site.noonMs + Site.dayMs)
        #expect(try other.paths().count == 2 && torn(other).damaged == 0)
        try other.replace(try other.bytes().dropLast(7), file: 0)
        #expect(try torn(other).torn == nil && torn(other).damaged >= 1)
    }

    @Test("A record of a version that wrote no effects is read, with and without a state")
    func earlier() throws {
        let site = try Site()
        try site.write()
        let run = String(repeating: "a", count: 32)
        var (end, lines) = (SHA256.Value.zero, "")
        let bodies = [
            "1\tfile\t1\t1\t2026-11-22\t\(end)", "2\trun\t\(run)\tb\t0.9\t5",
            "3\tstep\taaaaaaaa\tcamera\tfront\t1\t10\t5\tcbf29ce484222325\t{}",
            "4\tstep\taaaaaaaa\tcamera\tfront\t2\t10\t5\tcbf29ce484222325\t{}\t{\"a\":1}",
            "5\tstep\taaaaaaaa\tcamera\tfront\t3\t10\t5\tcbf29ce484222325\t{}\to00000001\t",
            "6\tstep\taaaaaaaa\tcamera\tfront\t4\t10\t5\tcbf29ce484222325\t{}\t\t{\"a\":1}",
        ]
        for body in bodies {
            end = RecordLine.digest(Array(body.utf8), behind: end)
            lines += body + "\t\(end)\n"
        }
        try site.replace(Array(lines.utf8))
        let (records, damaged) = try site.read()
        #expect(damaged == 0 && records.map(\.seq) == [1, 2, 3, 4])
        #expect(records.map(\.effects) == [nil, nil, "o00000001", ""])
        #expect(records.map(\.state) == [nil, #"{"a":1}"#, nil, #"{"a":1}"#])
        #expect(records.allSatisfy { $0.run == run && $0.version == "0.9" })
    }
}
