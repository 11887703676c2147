internal import Foundation
internal import Testing

@testable import vigil

@Suite("The manual")
struct ManualTests {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func kept(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("docs/man/vigil.8 is what `vigil manual man` writes")
    func manPage() throws { #expect(try kept("docs/man/vigil.8") == ManPage(CommandTree.load()).text) }

    @Test("docs/reference/cli.md is what `vigil manual markdown` writes: the help of every command")
    func reference() throws { #expect(try kept("docs/reference/cli.md") == CommandReference(CommandTree.load()).text) }

    @Test("every command that can be run has a section in the man page")
    func complete() throws {
        let tree = try CommandTree.load()
        let page = ManPage(tree).text
        #expect(tree.command.leaves.count >= 16)
        for leaf in tree.command.leaves {
            let name = leaf.fullName.split(separator: " ").dropFirst().joined(separator: " ")
            #expect(page.contains(".SS \"\(name)"))
        }
    }
}
