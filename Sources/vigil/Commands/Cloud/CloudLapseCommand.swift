internal import ArgumentParser
internal import Client

/// `vigil cloud lapse`
struct CloudLapseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lapse", abstract: "Show what would go from the cloud, and when, if the plan ended.",
        discussion: """
            Of what is in the cloud now: what goes when, what only the cloud has, and how long it would take to read that from \
            there. Nothing is changed.
            """)

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("When the plan is taken to end, such as 2026-12-01 or now.", valueName: "date"))
    var on: String

    @OptionGroup var cameras: CamerasOption

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let lapse = try await client.cloudLapse(on: clock.read(on), of: cameras.names)
            if format.json { return try Output.json(lapse) }
            try Self.tell(lapse, clock)
        }
    }

    private static func tell(_ lapse: CloudLapse, _ clock: DisplayClock) throws {
        var table = Table([
            ("CAMERA", .left), ("DAY", .left), ("CLIPS", .right), ("SIZE", .right), ("CLOUD ONLY", .right),
            ("SIZE", .right), ("FIRST GONE", .left), ("LAST GONE", .left),
        ])
        for camera in lapse.cameras {
            for day in camera.days {
                table.add(
                    camera.camera, day.day, String(day.stored.clips), Words.size(day.stored.bytes),
                    String(day.alone.clips), Words.size(day.alone.bytes), day.goneFrom.map(clock.show) ?? "never",
                    day.goneTo.map(clock.show) ?? "never")
            }
        }
        try table.write(orSay: "nothing is in the cloud")
        for camera in lapse.cameras { Output.note("\(camera.camera): \(words(camera, clock))") }
        guard lapse.cameras.contains(where: { $0.alone.clips > 0 }) else { return }
        if let rate = lapse.bytesPerSecond {
            Output.note("the last reads from the store came at \(Words.size(rate)) a second")
        } else {
            Output.note(
                "how long reading it would take is not known: nothing was read from the store since the daemon began")
        }
    }

    /// What becomes of a camera's clips.
    private static func words(_ camera: CloudLapse.Camera, _ clock: DisplayClock) -> String {
        let end =
            camera.goneAt.map { "all that is left goes at \(clock.show($0))" } ?? "it sends nothing, and its clips stay"
        guard camera.alone.clips > 0 else { return "\(end); the disk has all of it" }
        let time = camera.fetchSeconds.map {
            ", \(Words.length(ms: min($0, .max / 1_000) * 1_000)) to read"
        }
        return "\(end); only the cloud has \(camera.alone.clips) clips, \(Words.size(camera.alone.bytes))\(time ?? "")"
    }
}
