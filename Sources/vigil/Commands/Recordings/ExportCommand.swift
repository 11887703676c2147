internal import ArgumentParser
internal import Client

/// `vigil export CAMERA --from --to -o FILE`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write what a camera recorded as one playable MP4 file.",
        discussion: """
            The file begins with the key frame at or before --from. Stretches without media are named on standard error and \
            left out, and so are clips that cannot be read; what of a clip turns out to be unreadable later is empty in the \
            file. Then the exit status is 3. The file has its name only when it came to its end.
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
            let damage: DaemonClient.ExportDamage
            var progress = Progress("exporting", total: plan.bytes)
            do {
                damage = try await client.export(camera: camera, from: from, to: to) { bytes in
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
            if let skipped = damage.skipped { Output.note("left out: \(skipped)") }
            if let damaged = damage.damaged { Output.note("empty in the file: \(damaged)") }
            if damage.skipped != nil || damage.damaged != nil {
                throw Failure(
                    "not all that was recorded is in the export; \"vigil fsck --deep\" checks the recordings", status: 3
                )
            }
        }
    }
}
