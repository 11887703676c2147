internal import ArgumentParser
internal import Explain
internal import Journal
internal import Machines
internal import Server

/// `vigil ladder CAMERA`
struct LadderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ladder",
        abstract: "Say what each sensitivity and max event length would have recorded of a camera.",
        discussion: """
            Runs the camera's machine over the trace once for each of the 18 combinations of sensitivity (1, 5, 10) \
            and max event length (10, 15, 30, 60, 120, 180 s), all else as it was in force, and marks the one of today. \
            Continuous mode records all the same whatever the two are: --as-events takes it for event mode.

            Exit status: 0 answered, 1 no trace, 2 the trace cannot be read, or wrong usage.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Flag(name: .long, help: "Where the mode was continuous, tell what event mode would have recorded.")
    var asEvents = false

    @OptionGroup var options: ExplainOptions

    func run() async throws {
        let site = try await options.site()
        let time = try options.time(site.clock)
        let histories = try options.histories(camera, time, site).histories(of: camera)
        let ladder = Ladder(histories, time: time, asEvents: asEvents)
        let answer = LadderAnswer(
            camera, ladder, time, try await options.byteRate(of: camera, time, site),
            Unknown.all(histories, time: time),
            site.clock)
        try options.json ? Output.json(answer) : Output.line(answer.text(site.clock))
    }
}

/// What each rung would have recorded, as JSON and as text.
struct LadderAnswer: Encodable {
    struct Rung: Encodable {
        let sensitivity: Int
        let maxEventLengthMs: Int64
        let isToday: Bool
        let outlook: SimulatedRecordingAnswer
    }

    let camera: String
    let from, to: WallTime
    let rungs: [Rung]
    let remarks: [String]
    let notKnown: [UnknownAnswer]

    init(
        _ camera: String, _ ladder: Ladder, _ time: Range<Int64>, _ byteRate: Double?, _ unknown: [Unknown],
        _ clock: DisplayClock
    ) {
        self.camera = camera
        from = WallTime(ms: time.lowerBound)
        to = WallTime(ms: time.upperBound)
        rungs = ladder.rungs.map {
            Rung(
                sensitivity: $0.sensitivity.rawValue, maxEventLengthMs: $0.maxMs, isToday: $0.isToday,
                outlook: SimulatedRecordingAnswer($0.simulated, byteRate))
        }
        var remarks: [String] = []
        if ladder.modes.contains(.continuous) {
            remarks.append(
                "continuous mode was in force: there clips do not depend on the two; --as-events tells of events")
        }
        if ladder.modes.contains(.off) { remarks.append("the mode was off at times: nothing is recorded then") }
        self.remarks = remarks
        notKnown = unknown.map { UnknownAnswer($0, clock) }
    }

    /// The answer for people.
    func text(_ clock: DisplayClock) -> String {
        var table = Table([
            ("SENSITIVITY", .right), ("LENGTH", .right), ("EVENTS", .right), ("CLIPS", .right), ("HOURS", .right),
            ("SIZE", .right), ("", .left),
        ])
        for rung in rungs {
            let hundredths = rung.outlook.recordedMs / 36_000
            let hours = "\(hundredths / 100)." + String(hundredths % 100 + 100).dropFirst()
            table.add(
                "\(rung.sensitivity)", "\(rung.maxEventLengthMs / 1_000)s", "\(rung.outlook.events)",
                "\(rung.outlook.clips)", hours, SimulateAnswer.size(rung.outlook.bytes), rung.isToday ? "today" : "")
        }
        var lines = ["\(camera), \(clock.show(from)) to \(clock.show(to))"] + table.lines + remarks
        if !notKnown.isEmpty { lines.append("not known:") }
        return (lines + notKnown.map { "  " + $0.words }).joined(separator: "\n")
    }
}
