import Foundation
import Testing

@Suite("The pages of the library")
struct PageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func texts(_ folder: String, _ ending: String) throws -> [String: String] {
        let folder = Self.root.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
            })
    }

    /// Lines without the blanks around them.
    private func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test("All code of the pages stands in the examples, which are compiled and run")
    func code() throws {
        let examples = try texts("Tests/KitExamples", ".swift").values.map(lines)
        let pages = try texts("Sources/VigilKit/VigilKit.docc", ".md")
        #expect(pages.count == 3)
        for (name, page) in pages {
            let blocks = page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(!blocks.isEmpty)
            for block in blocks {
                let code = lines(String(block.dropFirst("swift\n".count)))
                #expect(block.hasPrefix("swift\n") && code.count > 20)
                #expect(examples.contains { $0.contains(code) }, "\(name): \(code)")
            }
        }
    }
}
