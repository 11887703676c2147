internal import ArgumentParser
internal import Daemon

/// `vigil version`
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Show the version of this program (also: vigil --version); `vigil status` shows the daemon's.")

    func run() throws { try Output.line("vigil \(vigilVersion)") }
}
