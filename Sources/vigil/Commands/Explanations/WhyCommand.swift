internal import ArgumentParser
internal import Client
internal import Explain
internal import Machines
internal import Replay
internal import Server
internal import Trace

/// `vigil why CAMERA TIME`
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Say what was recorded at a moment or why not, and what would have recorded it.",
        discussion: """
            Answers from the trace of the camera's machine, and where a daemon runs from its catalog too: the \
            label of the moment, which condition of recording failed, what led there, and the smallest change of toggle, \
            privacy or policy with which the same machine, told the same facts, would have recorded it. Without a daemon \
            the trace alone answers; what was deleted since is then not known.

            Exit status: 0 answered, 1 nothing is known of the moment, 2 the trace cannot be read, or wrong usage.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Argument(parsing: .allUnrecognized, help: "The moment, such as \"10:00:07\", \"yesterday 10:00\" or -10m.")
    var time: [String]

    @OptionGroup var trace: TraceOption
    @OptionGroup var socket: SocketOption
    @Flag(name: .long, help: "Write JSON; times are in UTC.")
    var json = false

    /// How far before the moment the trace is read first, in milliseconds; further where that does not tell.
    private static let backMs: [Int64?] = [3 * 3_600_000, 48 * 3_600_000, nil]

    func validate() throws {
        _ = try time.oneTime()
    }

    func run() async throws {
        let status = try await trace.ask(socket) { try await $0.status() }
        let clock = status.map { DisplayClock(zone: $0.timeZone, now: DisplayClock.present) } ?? DisplayClock.local
        let moment = try clock.read(time[0])
        // A trace from elsewhere may be ahead of this machine's clock.
        if !trace.isNamed, moment > clock.now { throw Failure("\(clock.show(moment)) has not come yet") }
        let entry = try await trace.ask(socket) { try await LedgerEntry($0, camera, moment) } ?? nil
        let answer: WhyAnswer
        do {
            let source = trace.source(daemonRoot: status?.storage.root)
            answer = WhyAnswer(try explanation(moment, source), entry, clock)
        } catch {
            guard let fault = traceFault(error) else { throw error }
            guard let entry else { throw Failure(fault, status: 2) }
            answer = WhyAnswer(Explainer(camera: camera, wallMs: moment.ms).explanation, entry, clock, without: fault)
        }
        try json ? Output.json(answer) : Output.line(answer.text(clock))
        if answer.label == WhyAnswer.unknown { throw Failure("nothing is known of \(camera) at \(clock.show(moment))") }
    }

    private func explanation(_ moment: WallTime, _ source: TraceSource) throws -> Explanation {
        var explainer = Explainer(camera: camera, wallMs: moment.ms)
        for backMs in source.isRepeatable ? Self.backMs : [nil] {
            explainer = Explainer(camera: camera, wallMs: moment.ms)
            var reader = try source.reader(TraceQuery(camera: camera, sinceMs: backMs.map { moment.ms - $0 }))
            while let record = try reader.next(), explainer.take(record) {}
            TraceOption.note(reader, of: source)
            if explainer.isSettled { break }
        }
        return explainer.explanation
    }
}

/// What the catalog knows of a moment.
struct LedgerEntry: Sendable {
    /// The stretch of coverage that holds it.
    let stretch: CoverageReport.Stretch
    /// The stretch begins and ends where it says, not where it was asked for.
    let isWhole: Bool
    let clip: Int64?
    let event: Int64?
}

extension LedgerEntry {
    private static let aroundMs: Int64 = 6 * 3_600_000

    /// Asks the daemon; nil where it knows no such camera.
    init?(_ client: DaemonClient, _ camera: String, _ moment: WallTime) async throws {
        let report: CoverageReport
        do {
            report = try await client.coverage(
                camera: camera, from: WallTime(ms: moment.ms - Self.aroundMs),
                to: WallTime(ms: moment.ms + Self.aroundMs))
        } catch ClientError.refused(let error) where error.kind == .notFound { return nil }
        guard let stretch = report.stretches.first(where: { $0.from <= moment && moment < $0.to }) else { return nil }
        self.stretch = stretch
        isWhole = stretch.from > report.from && stretch.to < report.to
        let filter = ListFilter(camera: camera, from: moment, to: WallTime(ms: moment.ms + 1))
        clip = stretch.label == .recorded ? try await client.clips(filter).items.last?.id : nil
        event = try await client.events(filter).items.last?.id
    }
}
