internal import ArgumentParser
internal import Client
internal import Foundation

/// `vigil cloud days CAMERA`
struct CloudDaysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "days", abstract: "List the days of a month with clips or events of a camera in the cloud.",
        discussion: "It is answered from the catalog, also while the store is away.")

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var month: MonthOption
    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let month = try month.read(clock)
            let days = try await client.cloudDays(camera: camera, year: month.year, month: month.month)
            if format.json { return try Output.json(days) }
            var table = Table([("DAY", .left), ("IN THE CLOUD", .right), ("EVENTS", .right)])
            for day in days { table.add(day.day, Words.length(ms: day.storedMs), "\(day.events)") }
            try table.write(orSay: "nothing of \(camera) in \(month) is in the cloud")
        }
    }
}

/// A time of a camera, as lists of the cloud take it.
struct CloudTime: ParsableArguments {
    @Argument(help: "The camera.")
    var camera: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The begin, such as yesterday or -2h. Default: a day ago.", valueName: "time"))
    var from = "-24h"

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The end, such as now. Default: now.", valueName: "time"))
    var to = "now"

    func interval(_ clock: DisplayClock) throws -> (from: WallTime, to: WallTime) {
        let (from, to) = (try clock.read(from), try clock.read(to))
        guard from < to else { throw Failure("--from is not before --to") }
        return (from, to)
    }
}

/// `vigil cloud slices CAMERA`
struct CloudSlicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slices", abstract: "List the clips of a camera in the cloud.",
        discussion: """
            A clip whose number is below 0 is in the cloud alone. It is played and exported like any other: vigil watch, \
            vigil play, vigil export.
            """)

    @OptionGroup var time: CloudTime
    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let (from, to) = try time.interval(clock)
            let slices = try await client.cloudSlices(camera: time.camera, CloudFilter(from: from, to: to))
            if format.json { return try Output.json(slices) }
            var table = Table([
                ("CLIP", .right), ("START", .left), ("LENGTH", .right), ("SIZE", .right), ("EVENT", .left),
                ("COMPLETE", .left),
            ])
            for slice in slices {
                table.add(
                    String(slice.clip), clock.show(slice.start), Words.length(ms: slice.end.ms - slice.start.ms),
                    Words.size(slice.bytes), slice.isEvent ? "yes" : "no", slice.isComplete ? "yes" : "no")
            }
            try table.write(orSay: "nothing of \(time.camera) is in the cloud in this time")
        }
    }
}

/// `vigil cloud events CAMERA`
struct CloudEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "List the events of a camera that are in the cloud.",
        discussion: "Their numbers are those of the cloud's list, others than those of vigil events.")

    @OptionGroup var time: CloudTime

    @Option(name: .long, help: ArgumentHelp("Leave out so many, the oldest.", valueName: "count"))
    var offset = 0

    @Option(name: .long, help: ArgumentHelp("At most so many. Default: 100.", valueName: "count"))
    var limit = 100

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        guard (1...ListFilter.pageMax).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to \(ListFilter.pageMax)")
        }
        guard (0...Int(Int32.max)).contains(offset) else {
            throw ValidationError("--offset takes a number from 0 to \(Int32.max)")
        }
    }

    func run() async throws {
        try await socket.ask { client in
            let clock = try await client.clock()
            let (from, to) = try time.interval(clock)
            var filter = CloudFilter(from: from, to: to)
            (filter.offset, filter.limit) = (offset, limit)
            let events = try await client.cloudEvents(camera: time.camera, filter)
            if format.json { return try Output.json(events) }
            var table = Table([
                ("EVENT", .right), ("START", .left), ("LENGTH", .right), ("CAUSE", .left), ("LEVEL", .right),
                ("ZONES", .left), ("PICTURE", .left), ("CLIPS", .left),
            ])
            for event in events {
                table.add(
                    String(event.id), clock.show(event.start),
                    event.end.map { Words.length(ms: $0.ms - event.start.ms) } ?? "", event.cause,
                    event.level.map(String.init) ?? "", event.zones.filter { !$0.isEmpty }.joined(separator: ", "),
                    event.hasPicture ? "yes" : "no", event.clips.map(String.init).joined(separator: ", "))
            }
            try table.write(orSay: "no event of \(time.camera) is in the cloud in this time")
        }
    }
}

/// `vigil cloud url CLIP`
struct CloudURLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Write lists by which anybody can play a clip from the store for some time.",
        discussion: """
            Writes index.m3u8 with the lists that it names (HLS). What they name are signed addresses of \
            the store: whoever has them needs neither Vigil nor the store's login until the time is over. They hold no \
            media; those of an encrypted clip hold its key, with which this clip can be played for ever, and no other.
            """)

    @Argument(help: "The clip, as vigil clips or vigil cloud slices numbers it.")
    var clip: ClipArgument

    @Option(name: .customLong("for"), help: ArgumentHelp("For how long, 1m to 7d. Default: 1h.", valueName: "length"))
    var length: TimeLength?

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("The folder to write to.", valueName: "folder"),
        completion: .directory)
    var output: String

    @OptionGroup var socket: SocketOption

    func validate() throws {
        guard SignedList.seconds.contains(seconds) else { throw ValidationError("--for takes 1m to 7d") }
    }

    private var seconds: Int { length.map { Int(clamping: $0.ms / 1_000) } ?? SignedList.secondsDefault }

    func run() async throws {
        try await socket.ask { client in
            let folder = URL(fileURLWithPath: output, isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var holdsKey = false
            for list in SignedList.allCases {
                let bytes: [UInt8]
                do {
                    bytes = try await client.signedList(clip: clip.value, list, seconds: seconds)
                } catch ClientError.refused(let error) where error.kind == .notFound && list != .index {
                    // A clip has not every kind of track.
                    continue
                }
                holdsKey = holdsKey || String(decoding: bytes, as: UTF8.self).contains("URI=\"data:")
                try Data(bytes).write(to: folder.appendingPathComponent(list.rawValue), options: .atomic)
            }
            try Output.line(folder.appendingPathComponent(SignedList.index.rawValue).path)
            if holdsKey { Output.note("the lists hold the clip's key: whoever has them can play it") }
        }
    }
}

/// `vigil cloud rebuild`
struct CloudRebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Find the clips that are in the store, on a machine that does not know them.",
        discussion: """
            Days, slices, events and pictures of the cloud come back from the store alone. Doing it again changes nothing. What \
            cannot be read is named and left out; then the exit status is 3.
            """)

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            var now = try await client.rebuildCloud()
            while now.isRunning {
                try await Task.sleep(for: .milliseconds(300))
                now = try await client.cloudRebuild()
            }
            if format.json {
                try Output.json(now)
            } else {
                try Output.line(
                    "\(now.entered) clips entered, \(now.known) known before, \(now.going) on their way out")
                for locked in now.locked {
                    Output.note(
                        "\(locked.clips) of them are encrypted with key \(locked.keyID), which is not configured: name its file in "
                            + "cloud.encryption.oldKeyFiles, or make it anew from its recovery code (vigil cloud key restore)"
                    )
                }
                for clip in now.unreadable { Output.note("left out: \(clip.key): \(clip.why)") }
                if now.leftOut > now.unreadable.count {
                    Output.note("and \(now.leftOut - now.unreadable.count) more")
                }
            }
            if let why = now.why { throw Failure("it ended early: \(why)") }
            if now.leftOut > 0 { throw Failure("\(now.leftOut) clips were left out", status: 3) }
        }
    }
}
