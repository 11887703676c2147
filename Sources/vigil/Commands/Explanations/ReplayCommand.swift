internal import ArgumentParser
internal import Explain
internal import Journal
internal import Replay
internal import Server

/// `vigil replay`
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Run the machines again from their trace, and say where they differ.",
        discussion: """
            Reads the journal of this machine, or a FILE that journalctl wrote with -o export or with -o json --all; a \
            single - is standard input. Every step of every camera is made again and compared with what was recorded: \
            same state, same effects. Works without the daemon and changes nothing. Times are in this machine's time zone.

            Exit status: 0 no difference, 1 a step differs, or records are missing, repeated or out of order (each is \
            named), 2 the input cannot be read, or wrong usage.

            A trace to send, without any video: journalctl -o export VIGIL_TRACE=front > front.export
            """)

    @Argument(
        help: "What journalctl wrote; - is standard input. Default: the journal of this machine.", completion: .file())
    var file: String?

    @OptionGroup var choice: TraceChoice

    @Option(
        name: .long, parsing: .remaining,
        help: ArgumentHelp(
            "Say what the camera's machine was doing at a time, and what led there: CAMERA TIME [FILE]. Comes last.",
            valueName: "words"))
    var explain: [String] = []

    @Flag(name: .long, help: "Write JSON; times are in UTC.")
    var json = false

    func validate() throws {
        guard !explain.isEmpty else { return }
        if explain.count < 2 { throw ValidationError("--explain takes CAMERA TIME, and may take a FILE") }
        if explain.count > 3 || (explain.count == 3 && file != nil) || explain.contains(where: { $0.hasPrefix("--") }) {
            throw ValidationError("--explain takes CAMERA TIME [FILE] and comes last, behind all other options")
        }
        if choice.camera != nil { throw ValidationError("--explain names its camera itself") }
    }

    func run() throws {
        let clock = DisplayClock.local
        do {
            if explain.isEmpty { try replay(clock) } else { try account(clock) }
        } catch let error as JournalError {
            throw Failure("\(error)", status: 2)
        }
    }

    private var input: String? { file ?? (explain.count == 3 ? explain[2] : nil) }

    private func replay(_ clock: DisplayClock) throws {
        var reader = try choice.reader(input, clock)
        var site = SiteReplay()
        while let record = try reader.next() { site.take(record) }
        let answer = ReplayAnswer(site, clock)
        try json ? Output.json(answer) : Output.line(answer.text(site, clock))
        let agreed = site.replays.reduce(0) { $0 + $1.agreed }
        if site.replays.isEmpty {
            throw Failure("no trace of a camera is in \(input ?? "the journal"), of what was asked for")
        }
        if !site.isClean { throw Failure(answer.verdict) }
        if agreed == 0 { throw Failure("no step could be compared: no whole state is in what was read") }
    }

    private func account(_ clock: DisplayClock) throws {
        let time = try clock.read(explain[1])
        var choice = choice
        choice.camera = explain[0]
        var reader = try choice.reader(input, clock)
        var moment = MomentReplay(camera: explain[0], wallMs: time.ms)
        while let record = try reader.next(), moment.take(record) {}
        guard moment.replay != nil else {
            throw Failure("no trace of \(explain[0]) at or before \(clock.show(time)) is in \(input ?? "the journal")")
        }
        try json
            ? Output.json(MomentAnswer(moment, clock.narrator))
            : Output.line(clock.narrator.account(moment).joined(separator: "\n"))
    }
}
