internal import Daemon

/// `vigil(8)` in man(7) macros.
struct ManPage {
    /// The whole page.
    let text: String

    init(_ tree: CommandTree) {
        let root = tree.command
        var lines = [
            ".\\\" Written by `vigil manual man`; change the commands, not this page.",
            ".TH VIGIL 8 \"\" \"Vigil \(vigilVersion)\" \"System administration\"",
            ".SH NAME", "vigil \\- \(Self.escape(Self.lowered(root.abstract ?? "")))",
            ".SH SYNOPSIS", ".B vigil", ".I COMMAND", "[\\fIOPTION\\fR]...",
            ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(root.discussion)
        lines.append(".SH COMMANDS")
        for command in root.leaves { lines += Self.section(command) }
        lines += [
            ".SH ENVIRONMENT", ".TP", ".B VIGIL_SOCKET", "The daemon's socket.", ".TP", ".BR VISUAL \", \" EDITOR",
            "The editor of \\fBvigil policy edit\\fR.",
            ".SH FILES", ".TP", ".I /run/vigil/vigil.sock", "The socket of an installed daemon.", ".TP",
            ".I vigil\\-demo/vigil.sock", "The socket of a demo that was started in this folder.",
            ".SH EXIT STATUS", ".TP", ".B 0", "Done.", ".TP", ".B 1",
            "Refused or failed, with the reason on standard error.", ".TP", ".B 2", "Wrong usage.",
            ".SH SEE ALSO", ".BR journalctl (1)", "",
        ]
        text = lines.joined(separator: "\n")
    }

    private static func section(_ command: CommandTree.Command) -> [String] {
        let name = command.fullName.split(separator: " ").dropFirst().joined(separator: " ")
        var lines = [".SS \"\(escape(name))\(escape(synopsis(command)))\""]
        lines += paragraphs(command.abstract)
        if command.discussion != nil { lines.append(".PP") }
        lines += paragraphs(command.discussion)
        for argument in command.shownArguments where argument.abstract != nil {
            lines += [".TP", ".B \"\(escape(term(argument)))\"", escape(argument.abstract ?? "")]
        }
        return lines
    }

    /// ` CAMERA [--for length]`: the order in which it is declared.
    private static func synopsis(_ command: CommandTree.Command) -> String {
        command.shownArguments.map { argument in
            let text = argument.kind == "positional" ? argument.value : term(argument)
            return argument.isOptional ? " [\(text)]" : " \(text)"
        }.joined()
    }

    private static func term(_ argument: CommandTree.Argument) -> String {
        guard argument.kind != "positional" else { return argument.value }
        let names = (argument.names ?? []).map(\.text).joined(separator: ", ")
        return argument.kind == "flag" ? names : "\(names) \(argument.value)"
    }

    private static func paragraphs(_ text: String?) -> [String] {
        let parts = (text ?? "").replacing("\n\n", with: "\u{0}").split(separator: "\u{0}")
        return Array(parts.map { [escape(String($0))] }.joined(separator: [".PP"]))
    }

    /// A backslash begins an escape and `-` is a hyphen in man(7); a line must not begin with `.` or `'`.
    private static func escape(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : String(line)
        }.joined(separator: "\n")
    }

    /// The description of a man page is not a sentence.
    private static func lowered(_ text: String) -> String {
        let text = text.hasSuffix(".") ? String(text.dropLast()) : text
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
