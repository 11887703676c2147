internal import ArgumentParser
internal import Client

/// `vigil disable CAMERA`
struct DisableCameraCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Switch a camera's recording toggle off; nothing is recorded until it is on again.")

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let state = try await socket.ask { try await $0.setEnabled(camera: camera, enabled: false) }
        try CommandAnswer.tell(state, json: format.json)
    }
}
