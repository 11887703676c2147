internal import ArgumentParser
internal import Client
internal import Journal
internal import Machines

/// `vigil coverage CAMERA`
struct CoverageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Say what became of every moment of a camera: recorded, or why not.",
        discussion: """
            Every moment has exactly one label: recorded, idle, blind, offByPolicy, offBySchedule, disabled, privacy, \
            linkLost, storage, recorderDown, deleted with the rule that asked for it, or notConfigured. Nothing is said \
            about the future.
            """)

    @Argument(help: "The camera.")
    var camera: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("From this time on, such as \"10:00\", \"yesterday\" or -10m.", valueName: "time"))
    var from = "-24h"

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Until this time.", valueName: "time"))
    var to = "now"

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let (report, clock) = try await socket.ask { client in
            let clock = try await client.clock()
            let (from, to) = (try clock.read(from), try clock.read(to))
            guard from < to else { throw Failure("--from is not before --to") }
            return (try await client.coverage(camera: camera, from: from, to: to), clock)
        }
        if format.json { return try Output.json(report) }
        try Self.table(report, clock).write(orSay: "that time has not come yet")
        if report.stretches.isEmpty { return }
        try Output.line("")
        try Output.line(Self.sums(report).lines.joined(separator: "\n"))
    }

    /// One line for each stretch.
    static func table(_ report: CoverageReport, _ clock: DisplayClock) -> Table {
        var table = Table([("FROM", .left), ("TO", .left), ("LENGTH", .right), ("COVERAGE", .left)])
        for stretch in report.stretches {
            table.add(
                clock.show(stretch.from), clock.show(stretch.to), Words.length(ms: stretch.to.ms - stretch.from.ms),
                Self.words(stretch.label, rule: stretch.rule))
        }
        return table
    }

    /// One line for each label, and the whole.
    static func sums(_ report: CoverageReport) -> Table {
        var table = Table([("COVERAGE", .left), ("LENGTH", .right), ("SHARE", .right)])
        let total = report.sums.values.reduce(0, +)
        let labels = Coverage.allCases.map(\.rawValue) + [CoverageReport.notConfigured]
        for label in labels {
            guard let ms = report.sums[label] else { continue }
            table.add(label, Words.length(ms: ms), Words.share(ms, of: total))
        }
        table.add("all", Words.length(ms: total), Words.share(total, of: total))
        return table
    }

    /// `deleted (siteSize)`.
    static func words(_ label: Coverage?, rule: String?) -> String {
        (label?.rawValue ?? CoverageReport.notConfigured) + (rule.map { " (\($0))" } ?? "")
    }
}
