internal import Foundation
internal import Glibc
internal import MemorySite
internal import Server
internal import Testing

@testable import vigil

@Suite("What reaches a terminal")
struct TerminalTests {
    @Test(
        "moves no cursor, rings no bell and turns no text, whatever names and errors hold",
        arguments: [
            ("a\u{1B}[2Jb", "a\\u001b[2Jb"), ("\u{7}\u{8}\u{0}", "\\u0007\\u0008\\u0000"), ("\u{9B}31m", "\\u009b31m"),
            ("\u{7F}", "\\u007f"), ("a\rb", "a\\u000db"), ("\u{202E}gpj", "\\u202egpj"), ("\u{2028}", "\\u2028"),
            ("\u{E000}", "\\ue000"), ("\u{E0001}", "\\udb40\\udc01"),
        ])
    func hidden(_ text: String, _ shown: String) { #expect(Visible.text(text) == shown) }

    @Test("is otherwise as it was written", arguments: ["", "a\tb\n", "Wörter \\u001b 日本", "é\u{301}", "a\\nb"])
    func untouched(_ text: String) { #expect(Visible.text(text) == text) }

    @Test("ends lines as the text does") func lineEnds() { #expect(Visible.text("a\r\nb\r\n") == "a\nb\n") }
}
