import Foundation
import Machines
import RandomSource
import Testing
import Wire

@testable import Server

/// Whatever Foundation's encoder writes, this one writes, to the byte.
@Suite("JSON that is written straight into bytes") struct JSONBytesTests {
    private func isEqual(_ value: some Encodable, _ location: SourceLocation = #_sourceLocation) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let expected = String(decoding: try encoder.encode(value), as: UTF8.self)
        #expect(String(decoding: try JSONBytes.of(value), as: UTF8.self) == expected, sourceLocation: location)
    }

    @Test("Strings, numbers, nothing and empty containers")
    func singles() throws {
        try isEqual((0...0x2ff).compactMap { Unicode.Scalar($0).map { String($0) } })
        try isEqual(["", "/", "é\u{301}", "👨‍👩‍👧", "\u{2028}", "\u{fffd}", String(repeating: "long \"text\" ", count: 500)])
        try isEqual([0, -0.0, 1, 0.1, -2.5, 1e21, .leastNonzeroMagnitude, 1e15, 123_456_789.125])
        try isEqual([Float(0.1), 3, 1e10])
        try isEqual([Int64.min, 0, .max])
        try isEqual([UInt64.max])
        try isEqual([Int8.min, 7])
        try isEqual([true, false])
        try isEqual([nil, "x", nil] as [String?])
        try isEqual([[]] as [[Int]])
        try isEqual([:] as [String: Int])
        try isEqual(["b": ["é": 1, "z": 2, "a": 3, "B": 4], "a": [:]])
        #expect(throws: EncodingError.self) { try JSONBytes.of([Double.nan]) }
        #expect(throws: EncodingError.self) { try JSONBytes.of(["x": Float.infinity]) }
    }

    /// A value of any shape, with containers within containers, and keys in any order.
    private indirect enum Tree: Encodable {
        case text(String), number(Int), nothing, array([Tree]), object([(String, Tree)]), nestedArray([Tree])
        case nestedObject([(String, Tree)]), parent([(String, Tree)])

        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        static func random(_ source: inout SeededGenerator, _ depth: Int) -> Tree {
            let members = { (source: inout SeededGenerator) in
                // Keys differ: of two that are equal each encoder keeps another.
                Array(
                    Set(
                        (0..<Int.random(in: 0...5, using: &source)).map { _ in
                            String(
                                (0..<Int.random(in: 0...3, using: &source)).map { _ in
                                    "abAé\"".randomElement(using: &source) ?? "x"
                                })
                        })
                ).map { ($0, random(&source, depth - 1)) }
            }
            switch Int.random(in: 0..<(depth > 0 ? 8 : 3), using: &source) {
            case 0: return .text("t\(Int.random(in: 0..<99, using: &source))\n")
            case 1: return .number(Int.random(in: -5...5, using: &source))
            case 2: return .nothing
            case 3: return .array((0..<Int.random(in: 0...4, using: &source)).map { _ in random(&source, depth - 1) })
            case 4: return .object(members(&source))
            case 5:
                return .nestedArray((0..<Int.random(in: 0...4, using: &source)).map { _ in random(&source, depth - 1) })
            case 6: return .nestedObject(members(&source))
            default: return .parent(members(&source))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text):
                var container = encoder.singleValueContainer()
                try container.encode(text)
            case .number(let number):
                var container = encoder.singleValueContainer()
                try container.encode(number)
            case .nothing:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            case .array(let parts):
                var container = encoder.unkeyedContainer()
                for part in parts { try container.encode(part) }
            case .object(let members):
                var container = encoder.container(keyedBy: Key.self)
                for (key, value) in members { try container.encode(value, forKey: Key(stringValue: key)) }
            case .nestedArray(let parts):
                var container = encoder.unkeyedContainer()
                for part in parts {
                    var nested = container.nestedUnkeyedContainer()
                    try nested.encode(part)
                    var object = container.nestedContainer(keyedBy: Key.self)
                    try object.encode(part, forKey: Key(stringValue: "k"))
                    try container.encode(7)
                    try part.encode(to: container.superEncoder())
                }
            case .nestedObject(let members):
                var container = encoder.container(keyedBy: Key.self)
                for (key, value) in members {
                    var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: key))
                    try nested.encode(value, forKey: Key(stringValue: "v"))
                    try nested.encodeNil(forKey: Key(stringValue: "u"))
                    var array = container.nestedUnkeyedContainer(forKey: Key(stringValue: key + "[]"))
                    try array.encode(value)
                    try array.encodeNil()
                }
            case .parent(let members):
                var container = encoder.container(keyedBy: Key.self)
                for (key, value) in members {
                    try value.encode(to: container.superEncoder(forKey: Key(stringValue: key)))
                }
                try Tree.number(1).encode(to: container.superEncoder())
            }
        }
    }

    @Test("Values of any shape", arguments: 0..<400 as Range<UInt64>)
    func shapes(_ seed: UInt64) throws {
        var source = SeededGenerator(seed: seed)
        try isEqual([Tree.random(&source, 4)])
    }

    @Test("A container that is written to after its place has gone by is an error, not another answer")
    func late() throws {
        struct Late: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                var nested = container.nestedUnkeyedContainer()
                try container.encode(1)
                try nested.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try JSONBytes.of(Late()) }
    }

    @Test("The coverage of a camera, whose parts are written in the order of their keys")
    func coverage() throws {
        let marks = (0..<50).map { CoverageLine.Mark(at: $0 * 7, label: $0 % 3 == 0 ? nil : .idle) }
        let spans = (0..<9).map {
            CoverageLine.Span(from: $0 * 31, to: $0 * 31 + 9, rule: $0 % 2 == 0 ? "maxAge" : nil)
        }
        let report = CoverageReport(
            camera: "yard", from: WallTime(ms: 3), line: CoverageLine(from: 3, to: 333, marks: marks, spans: spans))
        #expect(report.stretches.count > 20)
        try isEqual(report)
        let generic: any Encodable = report
        #expect(try JSONBytes.of(report) == JSONBytes.of(generic))
    }
}
