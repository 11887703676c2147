internal import ArgumentParser
internal import Client
internal import Wire

/// `vigil camera …`
struct CameraGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera", abstract: "Show and change what is set for one camera over its policy.",
        subcommands: [CameraGetCommand.self, CameraSetCommand.self])
}

/// `vigil camera get CAMERA`
struct CameraGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show what holds for a camera, and what of it is set for it alone.")

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let (info, clock) = try await socket.ask { client in
            (try await client.settings(camera: camera), format.json ? nil : try await client.clock())
        }
        try CameraSettingsTable.tell(info, clock)
    }
}

/// `vigil camera set CAMERA KEY=VALUE…`
struct CameraSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set something for one camera over its policy and vigil.yaml, or at the camera itself.",
        discussion: """
            Such as: vigil camera set front sensitivity=10 maxEventLength=60s. It holds at once, at all times of the \
            schedule, and over restarts, until KEY=default. Keys: mode (off, event, continuous), sensitivity (1, 5, 10), \
            maxEventLength (10s to 3m), microphone (on, off; off: all sound that comes is silence, live too), recordedSound \
            (on, off; live sound is not concerned), rotation (0, 180), viewport (the part of the picture that is shown, \
            x1,y1,x2,y2 from 0 to 1, such as 0.2,0.1,0.8,0.7; recordings stay whole); and of cameras with the key onvif, \
            set at the camera itself: nightVision (auto, on, off), brightness, contrast, saturation and sharpness of the \
            picture (0 to 100 of what the camera has), speakerVolume (0 to 100). A running event keeps the sensitivity and \
            length that it began with.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Argument(help: "What is set, as KEY=VALUE, one or more; KEY=default sets it no longer.")
    var settings: [String]

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    /// What is set.
    func command() throws -> SettingsCommand {
        var command = SettingsCommand()
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, command.set(String(parts[0]), String(parts[1])) else {
                throw ValidationError(
                    "\(setting) sets nothing: give KEY=VALUE with one of \(SettingsCommand.keys.joined(separator: ", "))"
                )
            }
        }
        return command
    }

    func validate() throws { _ = try command() }

    func run() async throws {
        let command = try command()
        let (info, clock) = try await socket.ask { client in
            (try await client.set(camera: camera, command), format.json ? nil : try await client.clock())
        }
        try CameraSettingsTable.tell(info, clock)
    }
}

/// What holds for a camera, for people.
enum CameraSettingsTable {
    /// As a table, or as JSON where there is no clock to show times by.
    static func tell(_ info: CameraSettingsInfo, _ clock: DisplayClock?) throws {
        guard let clock else { return try Output.json(info) }
        var table = Table("SETTING", "VALUE", "OTHERWISE", "SET SINCE", "BY")
        for line in info.settings {
            let value = line.value + (line.reported.map { " (the camera says \($0))" } ?? "")
            table.add(line.key, value, line.standard, line.since.map(clock.show) ?? "-", line.by ?? "-")
        }
        try table.write(orSay: "nothing can be set")
        if let problem = info.device?.problem { try Output.line("the camera itself: \(problem)") }
    }
}
