internal import ArgumentParser
internal import Client

/// `vigil days CAMERA`
struct DaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days", abstract: "List the days of a month with recordings or events of a camera.",
        discussion: "Days are those of the site's time zone: 23 or 25 hours long where the clocks are changed.")

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var month: MonthOption
    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let month = try month.read(clock)
            let days = try await client.days(camera: camera, year: month.year, month: month.month)
            if format.json { return try Output.json(days) }
            var table = Table([("DAY", .left), ("RECORDED", .right), ("OF THE DAY", .right), ("EVENTS", .right)])
            for day in days {
                table.add(
                    day.day, Words.length(ms: day.recordedMs),
                    Words.share(day.recordedMs, of: day.to.ms - day.from.ms), "\(day.events)")
            }
            try table.write(orSay: "nothing was recorded of \(camera) in \(month)")
        }
    }
}
