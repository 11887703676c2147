internal import ArgumentParser
internal import Client

/// `vigil ptz CAMERA [--pan 0.5 --tilt -0.2 --zoom 1 --for 2s | --stop | --home | --preset NAME | --save NAME | --remove NAME]`
struct PTZTurnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ptz", abstract: "Turn and zoom a camera, keep positions, and say where it looks.",
        discussion: """
            For cameras with an address of ONVIF (onvif: at the camera in vigil.yaml) that turn or zoom. Without an option it \
            says where the camera looks and which positions it keeps. A movement ends by itself after the time of --for.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Turn to the right, -1 to 1 of the greatest velocity.", valueName: "part"))
    var pan: SignedArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Turn upwards, -1 to 1 of the greatest velocity.", valueName: "part"))
    var tilt: SignedArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Zoom inwards, -1 to 1 of the greatest velocity.", valueName: "part"))
    var zoom: SignedArgument?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to move, 100ms to 10s. Default: 500ms.", valueName: "length"))
    var length: TimeLength?

    @Flag(help: "Stop at once.")
    var stop = false

    @Flag(help: "Turn to the camera's home position.")
    var home = false

    @Option(help: ArgumentHelp("Turn to the position of this name.", valueName: "name"))
    var preset: String?

    @Option(help: ArgumentHelp("Keep where the camera looks under this name.", valueName: "name"))
    var save: String?

    @Option(help: ArgumentHelp("Keep the position of this name no longer.", valueName: "name"))
    var remove: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    private var command: PTZCommand? {
        let moves = pan != nil || tilt != nil || zoom != nil || length != nil
        let command = PTZCommand(
            move: moves
                ? PTZCommand.Move(pan: pan?.value, tilt: tilt?.value, zoom: zoom?.value, forMs: length?.ms) : nil,
            stop: stop ? true : nil, home: home ? true : nil, preset: preset, save: save, remove: remove)
        return command == PTZCommand() ? nil : command
    }

    func validate() throws {
        if let (reason, remedy) = command?.flaw { throw ValidationError("\(reason): \(remedy)") }
    }

    func run() async throws {
        let info = try await socket.ask { client in
            if let command { return try await client.turn(camera: camera, command) }
            return try await client.ptz(camera: camera)
        }
        if format.json { return try Output.json(info) }
        let parts = [("pan", info.pan), ("tilt", info.tilt), ("zoom", info.zoom)]
            .compactMap { name, value in value.map { "\(name) \($0)" } }
        let place = parts.isEmpty ? "the camera does not tell where it looks" : parts.joined(separator: ", ")
        try Output.line("\(info.camera): \(place)\(info.moving == true ? ", moving" : "")")
        for preset in info.presets { try Output.line("  preset \(preset.name)") }
    }
}
