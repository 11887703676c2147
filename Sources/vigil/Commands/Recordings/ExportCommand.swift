internal import ArgumentParser
internal import Client
internal import Server

/// `vigil export CAMERA --from --to -o FILE`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write what a camera recorded as one playable MP4 file.",
        discussion: """
            The file begins with the key frame at or before --from. Stretches without media are named on standard error and \
            left out. The file has its name only when it is whole.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The begin, such as \"10:00\" or -10m.", valueName: "time"))
    var from: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The end, such as \"10:05\" or now.", valueName: "time"))
    var to: String

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["mp4"]))
    var output: String

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var socket: SocketOption

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let (from, to) = (try clock.read(from), try clock.read(to))
            guard from < to else { throw Failure("--from is not before --to") }
            let plan = try await client.exportPlan(camera: camera, from: from, to: to)
            for hole in plan.holes {
                Output.note("no media from \(clock.show(hole.from)) to \(clock.show(hole.to))")
            }
            var file = try ExportFile(output, replace: force)
            var progress = Progress("exporting", total: plan.bytes)
            do {
                try await client.export(camera: camera, from: from, to: to) { bytes in
                    try file.write(bytes)
                    progress.advance(bytes.count)
                }
                try file.finish()
            } catch {
                progress.end()
                file.abandon()
                throw error
            }
            progress.end()
            if output != "-" {
                Output.note("\(output): \(Words.length(ms: plan.durationMs)), \(Words.size(progress.bytes))")
            }
        }
    }
}
