import Hashing
import Testing

@Suite("Percent-encoding")
struct PercentTests {
    @Test("What may not stand as it is becomes codes, and codes become what they were")
    func codes() {
        let text = "a b/c-._~%\u{e4}\u{7f}"
        let escaped = Hex.escaped(text, unless: Hex.isUnreserved)
        #expect(escaped == "a%20b%2Fc-._~%25%C3%A4%7F")
        #expect(Hex.decoded(escaped.utf8) == Array(text.utf8) && Hex.unescaped(escaped) == Array(text.utf8))
        #expect(Hex.escaped(text) { $0 > 0x20 && $0 < 0x7f } == "a%20b/c-._~%%C3%A4%7F")
    }

    @Test("A broken code is refused, or stays where that is asked for", arguments: ["%", "a%4", "%g0", "%0g", "%%41"])
    func broken(text: String) {
        #expect(Hex.decoded(text.utf8) == nil)
        #expect(Hex.unescaped(text) == (text == "%%41" ? Array("%A".utf8) : Array(text.utf8)))
    }
}
