internal import ArgumentParser
internal import Client
internal import Explain
internal import Trace

/// `vigil why CAMERA TIME`
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Say what was recorded at a moment or why not, and what would have recorded it.",
        discussion: """
            The running daemon answers, from its catalog and the trace of the camera's machine: the label of the moment, \
            which condition of recording failed, what led there, and the smallest change of toggle, privacy or policy with \
            which the same machine, told the same facts, would have recorded it. Where none runs, or a trace is named, the \
            trace alone answers; what was deleted since is then not known.

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

    func validate() throws {
        _ = try time.oneTime()
    }

    func run() async throws {
        let (answer, clock) = try await asked() ?? alone()
        try json ? Output.json(answer) : Output.line(answer.text(clock))
        if answer.label == WhyAnswer.unknown {
            throw Failure("nothing is known of \(camera) at \(clock.show(answer.time))")
        }
    }

    /// The daemon's answer; nil where none is to be asked, or none answers.
    private func asked() async throws -> (WhyAnswer, DisplayClock)? {
        try await trace.ask(socket) { client in
            let clock = try await client.clock()
            return (try await client.why(camera: camera, at: moment(clock)), clock)
        }
    }

    /// The answer by the trace alone.
    private func alone() throws -> (WhyAnswer, DisplayClock) {
        let clock = DisplayClock.local
        let explanations = trace.explanations(clock.zone)
        return (try trace.failing { try explanations.why(camera, at: moment(clock)) }, clock)
    }

    private func moment(_ clock: DisplayClock) throws -> WallTime {
        let moment = try clock.read(time[0])
        // A trace from elsewhere may be ahead of this machine's clock.
        if !trace.isNamed, moment > clock.now { throw Failure("\(clock.show(moment)) has not come yet") }
        return moment
    }
}
