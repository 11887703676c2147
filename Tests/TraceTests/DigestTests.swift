import Machines
import Testing

@testable import Trace

private struct State: Codable {
    var link = "off"
    var streams = ["zeta": 1, "alpha": 2, "a/b": 3]
}

@Suite("Canonical JSON and the digest of a step")
struct DigestTests {
    @Test("JSON has one spelling: sorted keys, no white space, plain slashes")
    func canonical() throws {
        #expect(
            try CanonicalJSON.text(of: State()) == #"{"link":"off","streams":{"a/b":3,"alpha":2,"zeta":1}}"#)
        let order = ["b10": 1, "b2": 2, "B": 3, "_": 4, "ä": 5, "": 6]
        #expect(try CanonicalJSON.text(of: order) == #"{"":6,"B":3,"_":4,"b10":1,"b2":2,"ä":5}"#)
        #expect(throws: TraceError.self) { try CanonicalJSON.encode([Double.nan]) }
    }

    @Test(
        "Each effect has a word: its kind, and the halves of its digest laid over each other; together they are the array"
    )
    func effects() throws {
        let values = [["report": ["a": 1]], ["dial": ["_0": 7]], ["reporter": [:]]]
        let effects = try StepEffects(values)
        #expect(effects.bytes == (try CanonicalJSON.encode(values)))
        #expect(try StepEffects([String]()).text == "" && StepEffects([String]()).bytes == Array("[]".utf8))
        let words = [#"{"report":{"a":1}}"#, #"{"dial":{"_0":7}}"#, #"{"reporter":{}}"#].map { text in
            let digits = Digest(of: Array(text.utf8)).description
            let halves = (UInt32(digits.prefix(8), radix: 16) ?? 0) ^ (UInt32(digits.suffix(8), radix: 16) ?? 0)
            let low = String(halves, radix: 16)
            return (text.hasPrefix(#"{"report":"#) ? "r" : "o") + String(repeating: "0", count: 8 - low.count) + low
        }
        #expect(effects.text == words.joined(separator: " "))
        let step = try TraceStep(
            name: "a", seq: 1, at: Instant(ms: 5), wallMs: 0, input: "i", state: "s", effects: values)
        #expect(step.effects == effects.text)
        #expect(step.digest == Digest(of: Array(#"5\n"i"\n"s"\n"#.replacing("\\n", with: "\n").utf8) + effects.bytes))
    }

    @Test("The digest is FNV-1a of 64 bits, as published")
    func fnv() {
        #expect(Digest(of: []).description == "cbf29ce484222325")
        #expect(Digest(of: Array("a".utf8)).description == "af63dc4c8601ec8c")
        #expect(Digest(of: Array("foobar".utf8)).description == "85944171f73967e8")
        #expect(Digest("85944171f73967e8") == Digest(of: Array("foobar".utf8)))
        for text in ["", "85944171F73967E8", "85944171f73967e", "g5944171f73967e8"] { #expect(Digest(text) == nil) }
    }
}
