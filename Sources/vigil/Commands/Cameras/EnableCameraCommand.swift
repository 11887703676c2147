internal import ArgumentParser
internal import Client

/// `vigil enable CAMERA`
struct EnableCameraCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Switch a camera's recording toggle on.")

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let state = try await socket.ask { try await $0.setEnabled(camera: camera, enabled: true) }
        try CommandAnswer.tell(state, json: format.json)
    }
}
