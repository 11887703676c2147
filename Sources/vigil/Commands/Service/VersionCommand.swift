internal import ArgumentParser
internal import Daemon

/// `vigil version`
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Show the version of this program; `vigil status` shows the running daemon's.")

    func run() throws { try Output.line("vigil \(vigilVersion)") }
}
