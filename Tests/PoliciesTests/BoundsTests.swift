import Foundation
import Testing

@testable import Policies

@Suite(.serialized) struct BoundsTests {
    /// Files of the largest size, each hard in its own way.
    private static let shapes: [(name: String, text: String)] = [
        ("many keys", (0..<80_000).map { "k\($0): \n" }.joined()),
        ("many keys in brackets", "{" + (0..<90_000).map { "k\($0): 1," }.joined() + "}"),
        ("many elements", "name: a\nschedule: [" + String(repeating: "x,", count: 500_000) + "]"),
        ("many entries", "name: a\nschedule:\n" + String(repeating: "- {days: mon}\n", count: 60_000)),
        ("a long key", String(repeating: "k", count: 900_000) + ": 1"),
        ("a long value", "name: a\ndescription: \"" + String(repeating: "é", count: 500_000) + "\""),
        ("many lines", "name: a\n" + String(repeating: "\n", count: 1_000_000)),
        ("many comments", "name: a\n" + String(repeating: "# &x\n", count: 200_000)),
        ("many blanks", "name:" + String(repeating: " ", count: 1_000_000) + "a"),
        ("nested keys", (0..<900).map { String(repeating: " ", count: $0) + "k:\n" }.joined()),
        (
            "nested brackets",
            "name: a\nschedule: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
        ),
        ("nested list", "name: a\nschedule:\n " + String(repeating: "- ", count: 490) + "x"),
        ("nested question marks", String(repeating: "? ", count: 490) + "x"),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: shapes.map(\.name)) func `A hard file is answered soon, on a small stack`(
        name: String
    ) throws {
        let text = try #require(Self.shapes.first { $0.name == name }?.text)
        #expect(text.utf8.count <= YAMLReader.maxBytes)
        let done = DispatchSemaphore(value: 0)
        // As small as the stack of a thread that the system's pool may hand out.
        let thread = Thread {
            let outcome = PolicyReader.read(Array(text.utf8), file: "hard.yaml")
            #expect(outcome.diagnostics.count <= Checker.findingLimit)
            _ = try? PolicyEditor.set(String(text.prefix(100_000)), keyPath: "description", value: "x")
            done.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        #expect(done.wait(timeout: .now() + 50) == .success)
    }
}
