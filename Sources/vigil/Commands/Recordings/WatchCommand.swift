internal import ArgumentParser
internal import Client
internal import Foundation
internal import Machines

/// `vigil watch CAMERA [TIME]`, also `vigil play`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Look at a camera: live, or what it recorded from a time on.",
        discussion: """
            Opens mpv or ffplay, whichever is installed, where there is a display, or the player that --player names. The daemon \
            is asked over its socket and the player is given one MP4 on its standard input, so it needs no address and no token, \
            and plays wherever this command may. Without a player the address of the web page is written, for a browser.

            What was recorded is played over holes, as "vigil export" would write it. A live view ends when the camera is lost or \
            hidden, or the player takes nothing for half a minute. "vigil play" is another name of this command.
            """,
        aliases: ["play"])

    @Argument(help: "The camera.")
    var camera: String

    @Argument(
        parsing: .allUnrecognized,
        help: "From when on, such as \"10:00\", \"yesterday 10:00\" or -10m. Without it the live picture is shown.")
    var time: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Until when, of what was recorded. Default: an hour after the begin, or now.", valueName: "time"))
    var to: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A player that reads its standard input, with its options, such as \"vlc -\" or \"mpv --mute=yes\".",
            valueName: "command"))
    var player: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Write the MP4 into a file instead of playing it; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["mp4"]))
    var output: String?

    @Flag(name: .long, help: "Replace the file if it exists.")
    var force = false

    @Flag(name: .long, help: "Live: the sub-stream, which is smaller.")
    var sub = false

    @Flag(name: .long, help: "Live: without sound.")
    var mute = false

    @Flag(name: .long, help: "Write the addresses as JSON and play nothing.")
    var json = false

    @OptionGroup var socket: SocketOption

    /// How long a recording is played where nothing is said.
    private static let lengthMs: Int64 = 3_600_000

    func validate() throws {
        let time = try time.oneTime()
        if time == nil, to != nil { throw ValidationError("--to needs the time from which to play") }
        if time != nil, sub || mute { throw ValidationError("--sub and --mute are for the live picture") }
        if [player != nil, output != nil, json].count(where: { $0 }) > 1 {
            throw ValidationError("--player, --output and --json exclude each other")
        }
    }

    func run() async throws {
        try await socket.ask { client in
            let status = try await client.status()
            let clock = DisplayClock(zone: status.timeZone, now: DisplayClock.present)
            let stretch = try stretch(clock)
            // Before a window opens: whether there is such a camera.
            _ = try await client.state(camera: camera)
            if json { return try Output.json(addresses(status, stretch)) }
            let source = Source(
                client: client, camera: camera, stretch: stretch, stream: sub ? .sub : .main, withSound: !mute)
            if let output { return try await write(to: output, source) }
            let found = Player.find(
                player, isLive: stretch == nil, environment: ProcessInfo.processInfo.environment)
            guard let found else { return try say(addresses(status, stretch)) }
            let title = "\(camera), \(stretch.map { clock.show($0.from) } ?? "live")"
            try await found.play(title: title) { write in try await source.feed(write) }
        }
    }

    /// What of the recording is wanted; nil: the live picture.
    private func stretch(_ clock: DisplayClock) throws -> (from: WallTime, to: WallTime)? {
        guard let time = try time.oneTime() else { return nil }
        let from = try clock.read(time)
        guard from < clock.now else {
            throw Failure("\(clock.show(from)) has not come: name an earlier time, or none for the live picture")
        }
        let to = try to.map(clock.read) ?? min(clock.now, WallTime(ms: from.ms + Self.lengthMs))
        guard from < to else { throw Failure("--to is not after the time from which to play") }
        return (from, to)
    }

    /// What is looked at.
    private struct Source: Sendable {
        let client: DaemonClient
        let camera: String
        /// What of the recording; nil: the live picture.
        let stretch: (from: WallTime, to: WallTime)?
        let stream: LiveStream
        let withSound: Bool

        /// Hands the media to `write`.
        func feed(_ write: ([UInt8]) async throws -> Void) async throws {
            if let stretch {
                let skipped = try await client.movie(camera: camera, from: stretch.from, to: stretch.to) {
                    try await write($0)
                }
                if let skipped { Output.note("left out: \(skipped)") }
                return
            }
            try await client.live(camera: camera, stream: stream, withSound: withSound) { try await write($0) }
            let state = try await client.state(camera: camera)
            throw Failure(
                "the live view of \(camera) has ended; the camera is now: \(state.coverage.rawValue), \(state.why). "
                    + "\"vigil state \(camera)\" tells more; look again when it is back")
        }
    }

    private func write(to path: String, _ source: Source) async throws {
        var file = try ExportFile(path, replace: force)
        do {
            try await source.feed { try file.write($0) }
            try file.finish()
        } catch let failure as Failure where source.stretch == nil {
            // What came of a live view until it ended is kept: fragments are whole.
            try file.finish()
            throw failure
        } catch {
            file.abandon()
            throw error
        }
    }

    // MARK: Without a player

    /// Where a browser and a player find it.
    private struct Addresses: Encodable {
        let camera: String
        let page: String?
        let stream: String?
    }

    private func addresses(_ status: SiteStatus, _ stretch: (from: WallTime, to: WallTime)?) -> Addresses {
        let base = status.page.map { "\($0)/v1/cameras/\(camera)" }
        guard let stretch else {
            let query = sub ? "?stream=sub" : ""
            return Addresses(
                camera: camera, page: status.page.map { "\($0)/camera/\(camera)" },
                stream: base.map { "\($0)/live/main.m3u8\(query)" })
        }
        let times = "?from=\(stretch.from.rfc3339)&to=\(stretch.to.rfc3339)"
        return Addresses(
            camera: camera, page: status.page.map { "\($0)/camera/\(camera)?t=\(stretch.from.rfc3339)" },
            stream: base.map { "\($0)/play.m3u8\(times)" })
    }

    private func say(_ addresses: Addresses) throws {
        guard let page = addresses.page, let stream = addresses.stream else {
            throw Failure(
                "there is no player and no display here, and no web page is served: name a player with --player, write a "
                    + "file with --output, or name an address with http.listen in the configuration")
        }
        try Output.line(page)
        Output.note(
            "no player was opened, since neither \(Player.known.joined(separator: " nor ")) can be started on a display here. "
                + "Open the address in a browser (\"vigil token link\" logs it in), or give a player \(stream) with a token: "
                + "mpv --http-header-fields=\"Authorization: Bearer TOKEN\" ADDRESS")
    }
}
