internal import ArgumentParser
internal import Client
internal import Foundation

/// `vigil delete`
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete clips for ever.",
        discussion: """
            A clip that is protected, written, exported or played is not deleted. The journal names who has deleted, and the \
            clip's time keeps the label deleted.
            """)

    @Argument(help: "The clips, by the ids that vigil clips shows.")
    var clips: [ClipArgument]

    @Flag(name: .long, help: "Delete without asking first.")
    var yes = false

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        if !yes { try confirm() }
        let deleted = try await socket.ask { client in
            var deleted: [ClipInfo] = []
            for clip in clips.map(\.value) {
                deleted.append(try await client.delete(clip: clip))
                if !format.json { try Output.line("clip \(clip) of \(deleted.last?.camera ?? ""): deleted") }
            }
            return deleted
        }
        if format.json { try Output.json(deleted) }
    }

    /// Asks whoever sits at the terminal; where nobody does, `--yes` has to say it.
    private func confirm() throws {
        guard isatty(STDIN_FILENO) == 1 else { throw Failure("nobody can be asked here: say --yes to delete for ever") }
        let what = clips.count == 1 ? "clip \(clips[0].value)" : "\(clips.count) clips"
        Output.note("Delete \(what) for ever? Write yes:")
        guard readLine()?.lowercased() == "yes" else { throw Failure("nothing was deleted") }
    }
}
