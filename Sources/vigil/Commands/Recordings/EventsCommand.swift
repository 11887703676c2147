internal import ArgumentParser
internal import Client
internal import Machines

/// `vigil events`
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List the events that were noticed or commanded, the oldest first.")

    @Flag(name: .long, help: "List the detections that did not count instead; needs --camera.")
    var suppressed = false

    @Flag(name: .long, help: "Only those that nobody has marked as seen.")
    var unseen = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only those that a detection of this level began: 1, 5 or 10; several are separated by commas.",
            valueName: "level"))
    var level: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only those with movement in this zone, \"outside\" for the part outside every zone; several are separated by commas.",
            valueName: "zone"))
    var zone: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only those during which this was recognised, such as person; several are separated by commas.",
            valueName: "name"))
    var label: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only those that this began: detection, source or command; several are separated by commas.",
            valueName: "cause"))
    var cause: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Mark this event as seen instead of listing; can be given again.", valueName: "id"))
    var seen: [Int64] = []

    @OptionGroup var listing: ListingOptions
    @OptionGroup var socket: SocketOption

    func validate() throws {
        if suppressed, listing.cameras.camera == nil { throw ValidationError("--suppressed needs --camera") }
    }

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            if !seen.isEmpty { return try await mark(client, clock) }
            if suppressed { return try await writeSuppressed(client, clock) }
            let events = Listing(filter: try filter(clock), fetch: client.events)
            if listing.format.json { return try await events.writeJSON(limit: listing.limit) }
            let (items, more) = try await events.newest(listing.limit ?? ListingOptions.tableDefault)
            try Self.table(items, clock).write(orSay: "no events")
            if more, listing.limit == nil { Output.note("older events are not shown; use --limit or --from and --to") }
        }
    }

    /// What is asked for.
    private func filter(_ clock: DisplayClock) throws -> ListFilter {
        func words(_ text: String?) -> [String] { (text ?? "").split(separator: ",").map(String.init) }
        var filter = try listing.filter(clock)
        filter.conditions.isUnseen = unseen
        filter.conditions.levels = try words(level).map { word in
            guard let level = Int(word).flatMap(Sensitivity.init) else { throw Failure("--level takes 1, 5 or 10") }
            return level
        }
        filter.conditions.causes = try words(cause).map { word in
            guard let cause = ClipCause(rawValue: word), EventConditions.causes.contains(cause) else {
                throw Failure("--cause takes detection, source or command")
            }
            return cause
        }
        filter.conditions.zones = words(zone).map { $0 == "outside" ? "" : $0 }
        filter.conditions.labels = words(label)
        return filter
    }

    /// Marks events as seen and shows them.
    private func mark(_ client: DaemonClient, _ clock: DisplayClock) async throws {
        var marked: [EventInfo] = []
        for event in seen { marked.append(try await client.setSeen(event: event, seen: true)) }
        if listing.format.json { return try Output.json(marked) }
        try Self.table(marked, clock).write(orSay: "no events")
    }

    /// One line for each event.
    static func table(_ events: [EventInfo], _ clock: DisplayClock) -> Table {
        var table = Table([
            ("ID", .right), ("CAMERA", .left), ("START", .left), ("LENGTH", .right), ("CAUSE", .left), ("ZONES", .left),
            ("LABELS", .left), ("PRE-ROLL", .left), ("ENDED", .left), ("SUPPRESSED", .left), ("CLIPS", .left),
            ("SEEN", .left),
        ])
        for event in events {
            table.add(
                String(event.id), event.camera, clock.show(event.start),
                Words.length(ms: (event.end ?? clock.now).ms - event.start.ms), cause(event),
                event.zones.map { $0 ?? "outside" }.joined(separator: " "),
                event.labels.map(\.name).joined(separator: " "), preRoll(event),
                event.ended?.rawValue ?? "(active)",
                event.suppressed.map { "\($0.count) \($0.why.rawValue)" }.joined(separator: ", "),
                event.clips.map { String($0) }.joined(separator: " "), event.seen ? "yes" : "")
        }
        return table
    }

    private static func cause(_ event: EventInfo) -> String {
        event.cause.rawValue + (event.level.map { " \($0.rawValue)" } ?? "")
    }

    /// What was delivered, and of how much where that is less.
    private static func preRoll(_ event: EventInfo) -> String {
        guard let preRoll = event.preRoll, preRoll.promisedMs > 0 else { return "" }
        let delivered = Words.length(ms: preRoll.deliveredMs)
        return preRoll.deliveredMs >= preRoll.promisedMs
            ? delivered : "\(delivered) of \(Words.length(ms: preRoll.promisedMs))"
    }

    private func writeSuppressed(_ client: DaemonClient, _ clock: DisplayClock) async throws {
        let filter = try listing.filter(clock)
        let all = try await client.suppressed(
            camera: listing.cameras.camera ?? "", from: filter.from ?? WallTime(ms: 0),
            to: filter.to ?? WallTime(ms: clock.now.ms + 1))
        let shown = listing.limit.map { Array(all.suffix($0)) } ?? all
        if listing.format.json { return try Output.json(shown) }
        var table = Table([
            ("FROM", .left), ("TO", .left), ("COUNT", .right), ("LEVEL", .right), ("WHY", .left), ("EVENT", .right),
        ])
        for run in shown {
            table.add(
                clock.show(run.from), clock.show(run.to), String(run.count), String(run.level.rawValue),
                run.why.rawValue,
                run.event.map { String($0) } ?? "")
        }
        try table.write(orSay: "no detections were suppressed")
    }
}
