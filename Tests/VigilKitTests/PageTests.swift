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

    /// A path with `{}` for whatever is put into it, without a query.
    private func shape(_ path: Substring) -> String {
        let path = path.prefix { $0 != "?" }
        return String(path).replacing(/\{\w+\}|\\\((?:[^()]|\([^()]*\))*\)/, with: "{}")
    }

    @Test("Every route of the interface has a method, or the page says why it has none")
    func routes() throws {
        let interface = try String(
            contentsOf: Self.root.appendingPathComponent("docs/reference/openapi.yaml"), encoding: .utf8)
        let paths = interface.matches(of: /(?m)^  (\/[^\s:]+):$/).map(\.output.1)
        #expect(paths.count > 60)
        var sources = try texts("Sources/Wire/Viewing", "SessionVerb.swift").values.joined()
        for folder in ["", "/Cloud", "/Following", "/Playlists", "/Sessions"] {
            sources += try texts("Sources/VigilKit" + folder, ".swift").values.joined()
        }
        let asked = Set(sources.matches(of: /"(\/v1\/[^"]*)"/).map { shape($0.output.1) })
        let page = try #require(try texts("Sources/VigilKit/VigilKit.docc", "VigilKit.md").values.first)
        let left = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined(separator: "\n")
        for path in paths {
            let name = path.split(separator: "/").last ?? ""
            let hasMethod = asked.contains(shape(path)) || !name.hasPrefix("{") && sources.contains("\"\(name)\"")
            #expect(hasMethod || left.contains("/\(name)`"), "\(path)")
        }
    }

    @Test("All code of the pages stands in the examples, which are compiled and run")
    func code() throws {
        let examples = try texts("Tests/KitExamples", ".swift").values.map(lines)
        let pages = try texts("Sources/VigilKit/VigilKit.docc", ".md")
        #expect(pages.count == 6)
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
