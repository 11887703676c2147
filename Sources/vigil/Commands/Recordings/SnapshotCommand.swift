internal import ArgumentParser
internal import Client

/// `vigil snapshot EVENT|CAMERA [TIME] --output FILE`
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Write a picture of a camera or an event as a JPEG file.",
        discussion: """
            Of a camera: the live picture, or with a time the recorded key frame nearest to it. Of an event, by its number: the \
            key frame with most motion. The picture is made when it is asked for; nothing else is kept.
            """)

    @Argument(help: "The number of an event, or a camera.")
    var subject: String

    @Argument(
        parsing: .allUnrecognized,
        help: """
            Of a camera: the time of a recording, such as "10:00:07", "yesterday 10:00", -10m, or now for the newest. Without it \
            the picture is live.
            """)
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

    @Flag(
        name: .long, help: "The whole picture, also where a part of it is shown of the camera (its setting viewport).")
    var whole = false

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
            let jpeg: [UInt8]
            if time == nil, let event = Int64(subject) {
                jpeg = try await client.snapshot(of: .event(event), width: width, isWhole: whole)
            } else if let time {
                // The newest picture may be older than now: nothing may have been recorded since.
                let moment = time == "now" ? nil : try await client.clock().read(time)
                jpeg = try await client.snapshot(of: .camera(subject, at: moment), width: width, isWhole: whole)
            } else {
                let width = width ?? SnapshotWidth.standard
                jpeg = try await client.livePicture(camera: subject, width: width, isWhole: whole).jpeg
            }
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
