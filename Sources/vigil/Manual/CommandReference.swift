internal import ArgumentParser

/// `docs/reference/cli.md`: the help of every command, word for word, in lines of at most 100 columns.
struct CommandReference {
    /// The whole page.
    let text: String

    init(_ tree: CommandTree) {
        var parts = [
            "# Commands",
            "Written by `vigil manual markdown`; change the commands, not this page. A test keeps both equal.",
            Self.block(VigilCommand.self),
        ]
        for type in Self.displayed(VigilCommand.self) { Self.add(type, below: "vigil", "##", to: &parts) }
        text = parts.joined(separator: "\n\n") + "\n"
    }

    private static func displayed(_ type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    /// A command and all below it, each level with a lower heading.
    private static func add(
        _ type: any ParsableCommand.Type, below group: String, _ heading: String, to parts: inout [String]
    ) {
        let name = "\(group) \(type._commandName)"
        parts.append("\(heading) `\(name)`")
        parts.append(block(type))
        for inner in displayed(type) { add(inner, below: name, heading + "#", to: &parts) }
    }

    private static func block(_ type: any ParsableCommand.Type) -> String {
        let lines = VigilCommand.helpMessage(for: type, columns: columns).trimmedAtEnd.split(
            separator: "\n", omittingEmptySubsequences: false)
        return "```\n\(lines.map { $0.hasPrefix("USAGE: ") ? folded($0) : String($0) }.joined(separator: "\n"))\n```"
    }

    private static let columns = 100

    /// The line in lines of at most `columns`, broken before an option: ArgumentParser folds everything but the usage.
    private static func folded(_ usage: Substring) -> String {
        var lines: [String] = []
        for part in usage.replacing(" [", with: "\u{0}[").replacing(" --", with: "\u{0}--").split(separator: "\u{0}") {
            if let last = lines.last, last.count + 1 + part.count <= columns {
                lines[lines.count - 1] += " " + part
            } else {
                lines.append(lines.isEmpty ? String(part) : "    " + part)
            }
        }
        return lines.joined(separator: "\n")
    }
}
