internal import ArgumentParser

/// `vigil manual man|markdown`, hidden: writes the man page or the command reference from the commands' own
/// description.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the man page or the command reference.", shouldDisplay: false)

    /// What can be written.
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case man
        case markdown
    }

    @Argument(help: "The form.")
    var form: Form

    func run() throws {
        let tree = try CommandTree.load()
        switch form {
        case .man: try Output.write(Array(ManPage(tree).text.utf8))
        case .markdown: try Output.write(Array(CommandReference(tree).text.utf8))
        }
    }
}
