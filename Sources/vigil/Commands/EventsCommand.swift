internal import ArgumentParser
internal import Client
internal import Machines
internal import Server

/// `vigil events`
struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List the events that were noticed or commanded, the oldest first.")

    @OptionGroup var listing: ListingOptions
    @OptionGroup var socket: SocketOption

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let events = Listing(filter: try listing.filter(clock), fetch: client.events)
            if listing.format.json { return try await events.writeJSON(limit: listing.limit) }
            let (items, more) = try await events.newest(listing.limit ?? ListingOptions.tableDefault)
            try Self.table(items, clock).write(orSay: "no events")
            if more, listing.limit == nil { Output.note("older events are not shown; use --limit or --from and --to") }
        }
    }

    /// One line for each event.
    static func table(_ events: [EventInfo], _ clock: SiteClock) -> Table {
        var table = Table([
            ("ID", .right), ("CAMERA", .left), ("START", .left), ("LENGTH", .right), ("CAUSE", .left), ("ENDED", .left),
            ("CLIPS", .left),
        ])
        for event in events {
            table.add(
                String(event.id), event.camera, clock.show(event.start),
                Words.length(ms: (event.end ?? clock.now).ms - event.start.ms), event.cause.rawValue,
                event.ended?.rawValue ?? "(active)", event.clips.map { String($0) }.joined(separator: " "))
        }
        return table
    }
}
