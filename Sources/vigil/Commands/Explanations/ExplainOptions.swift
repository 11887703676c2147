internal import ArgumentParser
internal import Client
internal import Policies
internal import Replay
internal import Trace

/// What `simulate` and `ladder` have in common: the time, the trace, and what is known of the site.
struct ExplainOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("From this time on; a length such as 7d is that long ago.", valueName: "time"))
    var since = "7d"

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Until this time.", valueName: "time"))
    var until = "now"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration, for the time zone, the zones of the cameras and the policies by name; then no daemon is asked. Default: the daemon's.",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @OptionGroup var trace: TraceOption
    @OptionGroup var socket: SocketOption

    @Flag(name: .long, help: "Write JSON; times are in UTC.")
    var json = false

    /// What is known of the site where no daemon is asked.
    struct Site {
        let clock: DisplayClock
        /// The configuration that was named.
        let loaded: LoadedConfiguration?
    }

    /// What a daemon answers; nil where none is to be asked, or none answers.
    func ask<Value: Sendable>(_ body: (DaemonClient, DisplayClock) async throws -> Value) async throws -> (
        Value, DisplayClock
    )? {
        if config != nil {
            if socket.socket != nil {
                throw ValidationError("--config asks no daemon: leave out --socket, or --config")
            }
            return nil
        }
        return try await trace.ask(socket) { client in
            let clock = try await client.clock()
            return (try await body(client, clock), clock)
        }
    }

    /// Reads the configuration where one is named; it must be good.
    func site() throws -> Site {
        guard let config else { return Site(clock: DisplayClock.local, loaded: nil) }
        switch ConfigurationLoader().load(config).result {
        case .success(let loaded):
            let clock = DisplayClock(zone: loaded.configuration.timeZone, now: DisplayClock.present)
            return Site(clock: clock, loaded: loaded)
        case .failure(let refusal): throw Failure("\(config) would be refused:\n\(refusal)")
        }
    }

    /// The time that counts, milliseconds since 1970.
    func time(_ clock: DisplayClock) throws -> Range<Int64> {
        let from = try TimeLength(argument: since).map { clock.now.ms - $0.ms } ?? clock.read(since).ms
        let asked = try clock.read(until).ms
        // A trace from elsewhere may be ahead of this machine's clock.
        let to = !trace.isNamed ? min(asked, clock.now.ms) : asked
        guard from < to else { throw Failure("--since is not before --until") }
        return from..<to
    }
}
