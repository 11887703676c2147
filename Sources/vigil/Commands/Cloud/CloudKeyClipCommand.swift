internal import ArgumentParser
internal import Client

/// `vigil cloud key clip CLIP`
struct CloudKeyClipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clip",
        abstract: "Print the key of one clip, for players that fetch it from the store by themselves.",
        discussion: """
            Whoever has it can play this clip, and no other: ffmpeg -fflags +ignidx -decryption_key KEY -i video.cmfv. vigil \
            cloud url writes lists that hold it.
            """)

    @Argument(help: "The clip, as vigil clips or vigil cloud slices numbers it.")
    var clip: ClipArgument

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let key = try await socket.ask { try await $0.clipKey(clip: clip.value) }
        if format.json { return try Output.json(key) }
        try Output.line("kid \(key.kid)")
        try Output.line("key \(key.key)")
    }
}
