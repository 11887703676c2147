internal import ArgumentParser
internal import Client

/// `vigil record CAMERA [--for 30s]`
struct RecordNowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Record now, whatever moves: begin an event, or prolong the active one.")

    @Argument(help: "The camera.")
    var camera: String

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long, 1s to 1h, such as 30s. Default: the policy's own length.", valueName: "length"))
    var length: TimeLength?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        if let length, !(1_000...RecordCommand.forMsMax).contains(length.ms) {
            throw ValidationError("--for takes 1s to 1h")
        }
    }

    func run() async throws {
        let state = try await socket.ask { try await $0.record(camera: camera, forMs: length?.ms) }
        try CommandAnswer.tell(state, json: format.json)
    }
}
