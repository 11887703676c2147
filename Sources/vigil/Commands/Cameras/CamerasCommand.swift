internal import ArgumentParser
internal import Client
internal import Machines

/// `vigil cameras`
struct CamerasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List the configured cameras; no address is shown with its password.")

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let cameras = try await socket.ask { try await $0.cameras() }
        if format.json { return try Output.json(cameras) }
        var table = Table("CAMERA", "RECORDING", "PRIVACY", "POLICY", "CONNECT", "MAIN")
        for camera in cameras {
            table.add(
                camera.camera, camera.enabled ? "enabled" : "disabled", PrivacyWords.of(camera.privacy), camera.policy,
                camera.connect.rawValue, camera.main.lan ?? camera.main.internet ?? "-")
        }
        try table.write(orSay: "no cameras are configured")
    }
}
