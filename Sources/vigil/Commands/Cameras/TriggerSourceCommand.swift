internal import ArgumentParser
internal import Client
internal import Machines

/// `vigil trigger CAMERA [--level 5] [--zone door] [--label person] | --source gate --on|--off`
struct TriggerSourceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Tell a camera what another device noticed: one detection, or a source that is on or off.",
        discussion: """
            Without --source it is one detection, as the camera's own detector would give. With --source it is a level: on \
            until it is told off, or was not told again for the time of --stale, so a lost "off" cannot record for ever.
            With --label it says what was recognised: where it counts, its event keeps the label, for "vigil events --label".
            The camera's policy decides what follows; what it suppresses is in the journal with its reason.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Option(help: "The least sensitivity that notices the detection: 1, 5 or 10. Default: 1, which all do.")
    var level: Int?

    @Option(
        name: .customLong("zone"),
        help: ArgumentHelp(
            "A zone it was in; an empty name is the part outside every zone. Default: anywhere.", valueName: "zone"))
    var zones: [String] = []

    @Option(help: "The name of a source that stays on.")
    var source: String?

    @Flag(help: "Whether the source is on.")
    var on: OnOff?

    @Option(
        help: ArgumentHelp(
            "How long the source counts without being told again, 1s to 1h. Default: 1m.", valueName: "length"))
    var stale: TimeLength?

    @Option(help: ArgumentHelp("What was recognised, such as person.", valueName: "name"))
    var label: String?

    @Option(
        help: ArgumentHelp(
            "Where in the picture: left edge, upper edge, width and height, as parts of it from 0 to 1.",
            valueName: "x,y,w,h"))
    var box: BoxArgument?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    /// The two states of a source.
    enum OnOff: String, EnumerableFlag {
        case on
        case off
    }

    /// A rectangle in a picture: `0.1,0.2,0.3,0.5`.
    struct BoxArgument: ExpressibleByArgument {
        let box: LabelBox

        init?(argument: String) {
            let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
                let height = numbers[3]
            else { return nil }
            box = LabelBox(x: x, y: y, width: width, height: height)
        }
    }

    private var command: TriggerCommand {
        TriggerCommand(
            level: level, zones: zones.isEmpty ? nil : zones, source: source, on: on.map { $0 == .on },
            staleMs: stale?.ms, label: label, box: box?.box)
    }

    func validate() throws {
        if let (reason, remedy) = command.flaw { throw ValidationError("\(reason): \(remedy)") }
    }

    func run() async throws {
        let state = try await socket.ask { try await $0.trigger(camera: camera, command) }
        try CommandAnswer.tell(state, json: format.json)
    }
}
