internal import ArgumentParser
internal import Foundation

/// The commands' description, as the argument parser dumps it for tools.
struct CommandTree: Decodable {
    /// A command and its subcommands.
    struct Command: Decodable {
        var commandName: String
        var superCommands: [String]?
        var shouldDisplay: Bool?
        var abstract: String?
        var discussion: String?
        var subcommands: [Command]?
        var arguments: [Argument]?

        /// `vigil policy show`
        var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

        /// The subcommands that are shown to people, without the built-in `help`.
        var shown: [Command] {
            (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        }

        /// The leaves of the tree: what can be run.
        var leaves: [Command] { shown.isEmpty ? [self] : shown.flatMap(\.leaves) }

        /// The arguments that are shown to people, without `--help` and `--version`.
        var shownArguments: [Argument] {
            (arguments ?? []).filter { $0.shouldDisplay != false && $0.valueName != "help" }
        }
    }

    /// A positional argument, an option or a flag.
    struct Argument: Decodable {
        /// A name of an option or flag.
        struct Name: Decodable {
            var kind: String
            var name: String

            /// `--json` or `-o`
            var text: String { (kind == "long" ? "--" : "-") + name }
        }

        var kind: String
        var shouldDisplay: Bool?
        var isOptional: Bool
        var names: [Name]?
        var valueName: String?
        var allValues: [String]?
        var abstract: String?

        /// What stands for the value: its choices, or its name.
        var value: String { allValues.map { $0.joined(separator: "|") } ?? (valueName ?? "value") }
    }

    var command: Command

    /// The description of this very program.
    static func load() throws -> CommandTree {
        try JSONDecoder().decode(CommandTree.self, from: Data(VigilCommand._dumpHelp().utf8))
    }
}
