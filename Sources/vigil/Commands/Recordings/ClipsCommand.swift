internal import ArgumentParser
internal import Client
internal import Machines

/// `vigil clips`
struct ClipsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clips", abstract: "List what was recorded, the oldest first.")

    @OptionGroup var listing: ListingOptions
    @OptionGroup var socket: SocketOption

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let clips = Listing(filter: try listing.filter(clock), fetch: client.clips)
            if listing.format.json { return try await clips.writeJSON(limit: listing.limit) }
            let (items, more) = try await clips.newest(listing.limit ?? ListingOptions.tableDefault)
            try Self.table(items, clock).write(orSay: "no clips")
            if more, listing.limit == nil { Output.note("older clips are not shown; use --limit or --from and --to") }
        }
    }

    /// One line for each clip.
    static func table(_ clips: [ClipInfo], _ clock: DisplayClock) -> Table {
        var table = Table([
            ("ID", .right), ("CAMERA", .left), ("START", .left), ("LENGTH", .right), ("SIZE", .right), ("CAUSE", .left),
            ("ENDED", .left), ("TRACKS", .left),
        ])
        for clip in clips {
            let length = (clip.end ?? clock.now).ms - clip.start.ms
            let size = clip.tracks.reduce(into: Int64(0)) { $0 = $0.addingReportingOverflow($1.bytes).partialValue }
            table.add(
                String(clip.id), clip.camera, clock.show(clip.start), Words.length(ms: length), Words.size(size),
                clip.cause.rawValue, clip.ended?.rawValue ?? "(recording)",
                clip.tracks.map(\.codec).joined(separator: " + "))
        }
        return table
    }
}
