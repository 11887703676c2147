internal import ArgumentParser

/// `docs/reference/cli.md`: the help of every command, word for word.
struct CommandReference {
    /// The whole page.
    let text: String

    init(_ tree: CommandTree) {
        var parts = [
            "# Commands",
            "Written by `vigil manual markdown`; change the commands, not this page. A test keeps both equal.",
            Self.block(VigilCommand.self),
        ]
        for type in Self.displayed(VigilCommand.self) {
            parts.append("## \(Self.title(type))")
            parts.append(Self.block(type))
            for inner in Self.displayed(type) {
                parts.append("### \(Self.title(type).dropLast()) \(inner._commandName)`")
                parts.append(Self.block(inner))
            }
        }
        text = parts.joined(separator: "\n\n") + "\n"
    }

    private static func displayed(_ type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    private static func title(_ type: any ParsableCommand.Type) -> String { "`vigil \(type._commandName)`" }

    private static func block(_ type: any ParsableCommand.Type) -> String {
        "```\n\(VigilCommand.helpMessage(for: type, columns: 100).trimmedAtEnd)\n```"
    }
}
