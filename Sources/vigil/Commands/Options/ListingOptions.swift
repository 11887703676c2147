internal import ArgumentParser
internal import Client

/// What `clips` and `events` have in common.
struct ListingOptions: ParsableArguments {
    @OptionGroup var cameras: CamerasOption

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Only what ends after this time, such as \"10:00\", \"yesterday\" or -10m.", valueName: "time"))
    var from: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only what starts before this time.", valueName: "time"))
    var to: String?

    @Option(
        name: .long,
        help: ArgumentHelp("At most so many, the newest. Default: all as JSON, 50 as a table.", valueName: "count"))
    var limit: Int?

    @OptionGroup var format: JSONFlag

    /// Rows of a table where nobody asked for a number.
    static let tableDefault = 50
    /// Most elements that a limit may ask for: they are held in memory to turn them round.
    static let limitMax = 100_000

    func validate() throws {
        if let limit, !(1...Self.limitMax).contains(limit) {
            throw ValidationError("--limit takes a number from 1 to \(Self.limitMax)")
        }
    }

    /// The filter, its times read by `clock`.
    func filter(_ clock: DisplayClock) throws -> ListFilter {
        var filter = ListFilter(
            from: try from.map(clock.read), to: try to.map(clock.read), limit: ListFilter.pageMax)
        filter.cameras = cameras.names
        if let from = filter.from, let to = filter.to, from >= to { throw Failure("--from is not before --to") }
        return filter
    }
}
