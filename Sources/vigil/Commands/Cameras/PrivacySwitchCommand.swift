internal import ArgumentParser
internal import Client

/// `vigil privacy CAMERA on|off [--hard|--live]`
struct PrivacySwitchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "privacy", abstract: "Switch a camera's privacy on or off.",
        discussion: """
            Without an option, on means that nothing is recorded, and off switches every kind of privacy off. With --hard \
            or --live only that switch is set.
            """)

    /// The two positions of a switch.
    enum Position: String, ExpressibleByArgument, CaseIterable {
        case on
        case off
    }

    @Argument(help: "The camera.")
    var camera: String

    @Argument(help: "The position of the switch.")
    var position: Position

    @Flag(name: .long, help: "Hard privacy: everything stops, the connection to the camera too.")
    var hard = false

    @Flag(name: .long, help: "Live privacy: nothing is shown live.")
    var live = false

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    /// The switches to set.
    var change: PrivacyCommand {
        let on = position == .on
        guard hard || live else {
            return on
                ? PrivacyCommand(softRecording: true)
                : PrivacyCommand(hard: false, softRecording: false, softLive: false)
        }
        return PrivacyCommand(hard: hard ? on : nil, softLive: live ? on : nil)
    }

    func run() async throws {
        let state = try await socket.ask { try await $0.setPrivacy(camera: camera, change: change) }
        try CommandAnswer.tell(state, json: format.json)
    }
}
