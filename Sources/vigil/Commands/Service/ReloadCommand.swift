internal import ArgumentParser
internal import Client

/// `vigil reload`
struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Read the configuration and the policies again.",
        discussion: "Where they are refused, the reason is told and the last good ones stay in force.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let report = try await socket.ask { try await $0.reload() }
        if format.json { return try Output.json(report) }
        try Output.line(
            report.changed.isEmpty ? "nothing changed" : "changed: \(report.changed.joined(separator: ", "))")
    }
}
