internal import ArgumentParser
internal import Client
internal import Daemon
internal import Explain
internal import Replay
internal import Trace

/// `vigil replay`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Run the machines again from their trace, and say where they differ.",
        discussion: """
            Reads the trace that the daemon keeps beside the recordings, or a FILE: one of a trace, or what journalctl wrote \
            with -o export or with -o json --all; a single - is standard input. A folder of either will do too. Every step of \
            every camera, of every viewer's session, of every cloud subscription, of every upload and of every transport is made \
            again and compared with what was recorded: same state, same orders, same reports. What a journal tells of a camera \
            beside the steps is held against the reports of its machine. A last record that is torn is named and left out. Works without \
            the daemon and changes nothing. Times are in this machine's time zone.

            Exit status: 0 no difference, 1 a step or a report differs, or records are missing, repeated or out of order \
            (each is named), 2 the input cannot be read, or wrong usage.

            A trace to send, without any video, is the files of that day in the folder trace/ of the storage root.
            """)

    @Argument(
        help: "A trace, or what journalctl wrote; - is standard input. Default: as --root says.", completion: .file())
    var file: String?

    @OptionGroup var choice: TraceChoice
    @OptionGroup var trace: TraceOption
    @OptionGroup var socket: SocketOption

    @Option(
        name: .long, help: ArgumentHelp("As --journal with a folder.", valueName: "dir", visibility: .hidden),
        completion: .directory)
    var directory: String?

    @Option(
        name: .long, parsing: .remaining,
        help: ArgumentHelp(
            "Say what the camera's machine was doing at a time, and what led there: CAMERA TIME [FILE]. Comes last.",
            valueName: "words"))
    var explain: [String] = []

    @Flag(name: .long, help: "Write JSON; times are in UTC.")
    var json = false

    func validate() throws {
        let names = [file ?? (explain.count == 3 ? explain[2] : nil), directory]
        if names.count(where: { $0 != nil }) + (trace.isNamed ? 1 : 0) > 1 {
            throw ValidationError("a FILE, --root, --trace and --journal exclude each other")
        }
        guard !explain.isEmpty else { return }
        if explain.count < 2 { throw ValidationError("--explain takes CAMERA TIME, and may take a FILE") }
        if explain.count > 3 || (explain.count == 3 && file != nil) || explain.contains(where: { $0.hasPrefix("--") }) {
            throw ValidationError("--explain takes CAMERA TIME [FILE] and comes last, behind all other options")
        }
        if choice.camera != nil { throw ValidationError("--explain names its camera itself") }
    }

    func run() async throws {
        let clock = DisplayClock.local
        do {
            let source = try await source()
            if explain.isEmpty { try replay(source, clock) } else { try account(source, clock) }
        } catch {
            guard let fault = traceFault(error) else { throw error }
            throw Failure(fault, status: 2)
        }
    }

    private func source() async throws -> TraceSource {
        if let file = file ?? (explain.count == 3 ? explain[2] : nil) { return TraceSource(path: file) }
        if let directory { return .journalFolder(directory) }
        let status = trace.isNamed ? nil : try await trace.ask(socket) { try await $0.status() }
        return trace.source(daemonRoot: status?.storage.root)
    }

    private func replay(_ source: TraceSource, _ clock: DisplayClock) throws {
        var query = try choice.query(clock, of: [.camera, .session, .subscription, .upload, .transport])
        query.withTold = true
        var reader = try source.reader(query)
        var all = Replays()
        if source.isJournal { all.reports = HeldReports(version: vigilVersion) }
        while let entry = try reader.nextEntry() { all.take(entry) }
        // What tells of the last step may not be there yet, or not be asked for.
        let isCut = source.isGrowing || reader.torn != nil || query.untilMs != nil
        all.reports?.finish(all.site, isCut: isCut)
        let answer = ReplayAnswer(all, torn: reader.torn, clock)
        try json ? Output.json(answer) : Output.line(answer.text(all, clock))
        let agreed = answer.replayed
        if answer.runs.isEmpty { throw Failure("no trace of a camera is in \(source), of what was asked for") }
        TraceOption.note(reader, of: source)
        if let torn = reader.torn {
            Output.note(
                "\(torn.file) ends within a record: \(torn.bytes) bytes of it, from byte \(torn.offset) on, were left out; "
                    + "what wrote it was killed, or cut off")
        }
        if !all.isClean { throw Failure(answer.verdict) }
        if reader.damaged > 0 { throw Failure("the trace is not clean: \(reader.damaged) records damaged") }
        if agreed == 0 { throw Failure("no step could be compared: no whole state is in what was read") }
    }

    private func account(_ source: TraceSource, _ clock: DisplayClock) throws {
        let time = try clock.read(explain[1])
        var choice = choice
        choice.camera = explain[0]
        var reader = try source.reader(try choice.query(clock))
        var moment = MomentReplay(camera: explain[0], wallMs: time.ms)
        while let record = try reader.next(), moment.take(record) {}
        guard moment.replay != nil else {
            throw Failure("no trace of \(explain[0]) at or before \(clock.show(time)) is in \(source)")
        }
        try json
            ? Output.json(MomentAnswer(moment, clock.narrator))
            : Output.line(clock.narrator.account(moment).joined(separator: "\n"))
    }
}
