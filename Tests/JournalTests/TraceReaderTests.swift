import Foundation
import RandomSource
import Testing
import Trace

@testable import Journal

@Suite("Reading traces that are not as they should be")
struct TraceReaderTests {
    static let good =
        #""VIGIL_TRACE":"a","VIGIL_SEQ":"1","VIGIL_RUN":"r","VIGIL_AT":"5","VIGIL_INPUT":"{}","VIGIL_DIGEST":"cbf29ce484222325""#

    private func read(_ bytes: some Sequence<UInt8>, _ format: TraceReader.Format = .automatic) throws -> [TraceRecord]
    {
        var reader = try TraceReader(path: try Scratch.file(bytes), format: format)
        return try reader.readAll()
    }

    @Test(
        "Malformed input is an error with line and cause",
        arguments: [
            ("{\(good)}\n{\"VIGIL_TRACE\":\"a\"}", 2, "VIGIL_SEQ is missing"),
            ("{\"VIGIL_TRACE\":null}", 1, "VIGIL_TRACE was left out for its length; use journalctl --all"),
            ("{\(good),\"VIGIL_STATE\":null}", 1, "VIGIL_STATE was left out for its length; use journalctl --all"),
            ("{\"VIGIL_TRACE\":[255,254]}", 1, "VIGIL_TRACE is not UTF-8"),
            (
                "{\(good.replacingOccurrences(of: "\"1\"", with: "\"-1\""))}", 1,
                "VIGIL_SEQ is not a whole number in its range: -1"
            ),
            (
                "{\(good.replacingOccurrences(of: "\"5\"", with: "\"99999999999999999999\""))}", 1,
                "VIGIL_AT is not a whole number in its range: 99999999999999999999"
            ),
            (
                "{\(good.replacingOccurrences(of: "cbf2", with: "xbf2"))}", 1,
                "VIGIL_DIGEST is not 16 lower-case hexadecimal digits"
            ),
            ("VIGIL_TRACE=a\n\n", 1, "VIGIL_SEQ is missing"),
            ("A=1\nlower", 2, "no field name: lower"),
            ("A=1\n\nlower=1\n", 3, "no field name: lower"),
            ("A=1\n=1\n", 2, "no field name: "),
            ("A\n\u{1}\0\0\0\0\0\0\0ab\n", 1, "no newline behind the value of A"),
            ("A\n\u{1}\0\0\0\0\0\0\u{7f}ab\n", 1, "A says it is 9151314442816847873 bytes long"),
        ])
    func malformed(text: String, line: Int, cause: String) {
        #expect(throws: JournalError.malformed(line: line, cause: cause)) { try read(Array(text.utf8)) }
    }

    @Test(
        "A last entry that breaks off is left out, and named with its place and length",
        arguments: [
            ("VIGIL_TRACE=a\n", 0), ("A=1\n\nVIGIL_SE", 5), ("A=1\n\nB=2\nA\n\u{1}\0\0", 5),
            ("A\n\u{5}\0\0\0\0\0\0\0abc", 0), ("A\n\u{1}\0\0\0\0\0\0\0a", 0), ("A=1\nB=2\n\n\nC=3", 10),
            ("{\(good)}\n{", good.utf8.count + 3), ("{\"A\":\"1\"}\n{\(good.dropLast())", 10),
            ("{\"A\":\"1\"}\n{\"VIGIL_STATE\":\"{}", 10),
        ])
    func torn(text: String, offset: Int) throws {
        let path = try Scratch.file(Array(text.utf8))
        var reader = try TraceReader(path: path)
        let records = try reader.readAll()
        #expect(records.count == (offset > 50 ? 1 : 0))
        #expect(
            reader.torn == TornEnd(file: path, offset: Int64(offset), bytes: Int64(text.utf8.count - offset)))
        var whole = try TraceReader(path: try Scratch.file(Array(text.utf8.prefix(offset))))
        _ = try whole.readAll()
        #expect(whole.torn == nil)
    }

    @Test("No JSON is an error that names its line")
    func noJSON() throws {
        for text in ["{\(Self.good)}\n{\n", "{\(Self.good)}\n[]", "{\(Self.good)}\n{\"a\":}\n", "{\(Self.good)}\nx"] {
            let error = #expect(throws: JournalError.self) { try read(Array(text.utf8)) }
            guard case .malformed(line: 2, let cause)? = error else {
                Issue.record("another error: \(String(describing: error))")
                continue
            }
            #expect(!cause.isEmpty)
        }
    }

    @Test("Unknown fields, foreign types, repeated fields and the empty file are no errors")
    func tolerated() throws {
        #expect(try read([]).isEmpty)
        #expect(try read(Array("\n\n{}\n".utf8), .json).isEmpty)
        let text =
            "{\(Self.good),\"X\":5,\"Y\":{\"a\":1},\"VIGIL_STATE\":[\"s\",\"t\"],\"Z\":[1.5,true],\"W\":[[1],\"a\"]}"
        let records = try read(Array(text.utf8))
        #expect(records.count == 1 && records.first?.state == "s")
        // An array of bytes is a value that is no plain text, as journalctl writes it.
        let bytes = try read(Array("{\(Self.good),\"VIGIL_STATE\":[123,10,125]}".utf8))
        #expect(bytes.first?.state == "{\n}")
    }

    @Test("Whatever is cut off or turned around, reading ends in records or in an error")
    func mutations() throws {
        let export =
            Array("VIGIL_TRACE=a\nVIGIL_SEQ=1\nVIGIL_RUN=r\nVIGIL_AT=5\nVIGIL_INPUT\n".utf8) + [2, 0, 0, 0, 0, 0, 0, 0]
            + Array("{}\nVIGIL_DIGEST=cbf29ce484222325\n\n".utf8)
        let json = Array("{\(Self.good)}\n".utf8)
        #expect(try read(export).count == 1)
        #expect(try read(json).count == 1)
        var outcomes = (records: 0, errors: 0)
        var random = SeededGenerator(seed: 20_26)
        for original in [export, json] {
            for index in original.indices {
                var flipped = original
                flipped[index] = UInt8.random(in: .min ... .max, using: &random)
                for variant in [Array(original[..<index]), flipped] {
                    do {
                        outcomes.records += try read(variant).count
                    } catch is JournalError {
                        outcomes.errors += 1
                    }
                }
            }
        }
        #expect(outcomes.records > 10 && outcomes.errors > 100)
    }

    @Test("A file that is not there is named")
    func missing() {
        #expect(throws: JournalError.unreadable(path: "/nonexistent/x", errno: 2)) {
            try TraceReader(path: "/nonexistent/x")
        }
        let error = #expect(throws: JournalError.self) {
            try TraceReader(journal: TraceQuery(), directory: "/nonexistent/x")
        }
        #expect(error.map { "\($0)".contains("/nonexistent/x") } == true)
    }

    @Test("Lines and stretches longer than a block come whole")
    func blocks() throws {
        let long = String(repeating: "x", count: 200_000)
        let text = "{\(Self.good),\"VIGIL_STATE\":\"\(long)\"}\n{\(Self.good)}\n"
        #expect(try read(Array(text.utf8)).map { $0.state?.count } == [200_000, nil])
    }
}
