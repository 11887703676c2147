internal import ArgumentParser
internal import Client
internal import Foundation
internal import Journal
internal import Trace

/// `vigil policy log`
struct PolicyLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Say who changed what a camera records, and when.",
        discussion: """
            Lists, the oldest first: each change of a policy's text (--diff shows what changed in it), of a camera's policy, of the \
            recording toggle and the privacy switches, and each time that the configuration was read. It reads the \
            journal of this machine, so the daemon need not run; members of the groups adm and systemd-journal may.
            """)

    @Argument(help: "Only what concerns this policy or camera.")
    var name: String?

    @Flag(name: .long, help: "Show what changed in each text, line by line.")
    var diff = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only changes after this time, such as \"10:00\", \"yesterday\" or -7d.", valueName: "time"))
    var since: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read this file instead, written by journalctl -o json --all or -o export; - for standard input.",
            valueName: "file"),
        completion: .file())
    var file: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        // Without a daemon the times are this machine's.
        let zone = try? await socket.ask { try await $0.status().timeZone }
        let clock = DisplayClock(zone: zone ?? TimeZone.current.identifier, now: DisplayClock.present)
        let changes: [RecordedChange]
        do {
            changes = try read(sinceMs: try since.map(clock.read)?.ms)
        } catch let error as JournalError { throw Failure("\(error)") }
        if format.json { return try Output.json(changes) }
        for change in changes { try Output.line(change.lines(clock, differences: diff).joined(separator: "\n")) }
        if changes.isEmpty { Output.note("no changes are in the journal\(geteuid() == 0 ? "" : " that you may read")") }
    }

    private func read(sinceMs: Int64?) throws -> [RecordedChange] {
        var reader = try MessageReader(
            kinds: RecordedChange.kinds, path: file, query: TraceQuery(sinceMs: sinceMs))
        var changes: [RecordedChange] = []
        while let record = try reader.next() {
            let change = RecordedChange(record)
            if name.map(change.concerns) ?? true { changes.append(change) }
        }
        return changes
    }
}
