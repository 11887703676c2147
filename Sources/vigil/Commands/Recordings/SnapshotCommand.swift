internal import ArgumentParser
internal import Client
internal import Server

/// `vigil snapshot EVENT|CAMERA [TIME] --output FILE`
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Write a picture of what was recorded as a JPEG file.",
        discussion: """
            Of an event, by its number: the key frame with most motion. Of a camera: the key frame nearest to the time, or the \
            newest one. The picture is made from the recording when it is asked for; nothing else is kept.
            """)

    @Argument(help: "The number of an event, or a camera.")
    var subject: String

    @Argument(
        parsing: .allUnrecognized,
        help: "Of a camera: the time, such as \"10:00:07\", \"yesterday 10:00\" or -10m.")
    var time: [String] = []

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["jpg", "jpeg"]))
    var output: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "At most so many pixels wide, 16 to 3840 (320 for a thumbnail). Default: 1920.", valueName: "pixels"))
    var width: Int?

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var socket: SocketOption

    func validate() throws {
        _ = try time.oneTime()
        if let width, !SnapshotWidth.range.contains(width) {
            throw ValidationError("--width takes 16 to 3840 pixels")
        }
    }

    func run() async throws {
        try await socket.ask { client in
            let time = try time.oneTime()
            let wanted: SnapshotSubject
            if time == nil, let event = Int64(subject) {
                wanted = .event(event)
            } else if let time {
                let clock = try await client.clock()
                wanted = .camera(subject, at: try clock.read(time))
            } else {
                wanted = .camera(subject, at: nil)
            }
            let jpeg = try await client.snapshot(of: wanted, width: width)
            var file = try ExportFile(output, replace: force)
            do {
                try file.write(jpeg)
                try file.finish()
            } catch {
                file.abandon()
                throw error
            }
        }
    }
}
