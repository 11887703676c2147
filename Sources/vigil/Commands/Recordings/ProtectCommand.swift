internal import ArgumentParser
internal import Client

/// `vigil protect`
struct ProtectClipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect", abstract: "Protect clips from every retention rule, or release them.")

    @Argument(help: "The clips, by the ids that vigil clips shows.")
    var clips: [ClipArgument]

    @Flag(help: "Release them: the rules may delete them again.")
    var release = false

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let changed = try await socket.ask { client in
            var changed: [ClipInfo] = []
            for clip in clips {
                changed.append(try await client.setProtected(clip: clip.value, protected: !release))
            }
            return changed
        }
        if format.json { return try Output.json(changed) }
        for clip in changed {
            try Output.line("clip \(clip.id) of \(clip.camera): \(clip.protected ? "protected" : "released")")
        }
    }
}
