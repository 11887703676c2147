internal import ArgumentParser
internal import Client
internal import Explain

/// `vigil ladder CAMERA`
struct LadderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ladder",
        abstract: "Say what each sensitivity and max event length would have recorded of a camera.",
        discussion: """
            Runs the camera's machine over its trace once for each of the 18 combinations of sensitivity (1, 5, 10) \
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
        let (answer, clock) = try await asked() ?? alone()
        try options.json ? Output.json(answer) : Output.line(answer.text(clock))
    }

    /// The daemon's answer; nil where none is to be asked, or none answers.
    private func asked() async throws -> (LadderAnswer, DisplayClock)? {
        try await options.ask { client, clock in
            let time = try options.time(clock)
            return try await client.ladder(
                camera: camera, from: WallTime(ms: time.lowerBound), to: WallTime(ms: time.upperBound),
                asEvents: asEvents)
        }
    }

    /// The answer by the trace alone.
    private func alone() throws -> (LadderAnswer, DisplayClock) {
        let site = try options.site()
        let time = try options.time(site.clock)
        let explanations = options.trace.explanations(site.clock.zone)
        let answer = try options.trace.failing {
            try explanations.ladder(camera, time, asEvents: asEvents) { _ in nil }
        }
        return (answer, site.clock)
    }
}
