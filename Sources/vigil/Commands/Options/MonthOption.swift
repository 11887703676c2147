internal import ArgumentParser
internal import Wire

/// `--month`, of lists of days.
struct MonthOption: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The month, such as 2026-11. Default: the present one."))
    var month: String?

    func validate() throws {
        if let month, CalendarMonth(month) == nil { throw ValidationError("--month takes a month such as 2026-11") }
    }

    /// The month that is meant, by the clock of the daemon's site.
    func read(_ clock: DisplayClock) throws -> CalendarMonth {
        guard let month = CalendarMonth(month ?? String(clock.show(clock.now).prefix(7))) else {
            throw Failure("this machine's clock tells no month of the years 1970 to 9998: set it, or give --month")
        }
        return month
    }
}
