internal import ArgumentParser
internal import Client

/// `vigil cloud queue`
struct CloudQueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "List the clips that go to the cloud, and how far each is.",
        discussion: "Without --all, jobs that are done or were given up are left out. The newest stand last.")

    @OptionGroup var cameras: CamerasOption

    @Flag(help: "Also list what is over.")
    var all = false

    @Option(name: .long, help: ArgumentHelp("At most so many, the newest. Default: 50.", valueName: "count"))
    var limit = 50

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        guard (1...ListFilter.pageMax).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to \(ListFilter.pageMax)")
        }
    }

    func run() async throws {
        let filter = UploadFilter(cameras: cameras.names, standings: all ? [] : [.open, .due, .failed], limit: limit)
        try await socket.ask { client in
            let page = try await client.uploads(filter)
            if format.json { return try Output.json(page.items) }
            let totals = try await client.uploadTotals(of: cameras.names)
            try Self.table(page.items.reversed(), try await client.clock()).write(orSay: "nothing waits for the cloud")
            if page.next != nil { Output.note("older jobs are not shown; use --limit") }
            for line in Self.summary(totals) { Output.note(line) }
        }
    }

    private static func table(_ jobs: [UploadInfo], _ clock: DisplayClock) -> Table {
        var table = Table([
            ("JOB", .right), ("CAMERA", .left), ("CLIP", .right), ("START", .left), ("PHASE", .left), ("SENT", .right),
            ("SIZE", .right), ("OWNER", .left), ("NOTE", .left), ("WHY", .left),
        ])
        for job in jobs {
            let percent = job.sentBytes.multipliedReportingOverflow(by: 100).partialValue / max(job.bytes, 1)
            // Of a clip that is sent while it is recorded, the size is not known yet.
            let sent = job.bytes > 0 ? "\(percent) %" : job.sentBytes > 0 ? Words.size(job.sentBytes) : ""
            let phase = job.phase.rawValue + (job.encodedPercent.map { " \($0) %" } ?? "")
            table.add(
                String(job.id), job.camera, job.clip.map(String.init) ?? "", clock.show(job.start),
                job.queued == nil ? "(recording)" : phase, sent, Words.size(job.bytes), job.owner,
                job.note ?? "",
                job.why ?? "")
        }
        return table
    }

    /// What holds for all of them.
    private static func summary(_ totals: UploadTotals) -> [String] {
        let phases = totals.phases.map { "\($0.jobs) \($0.phase.rawValue), \(Words.size($0.bytes))" }.joined(
            separator: "; ")
        return [
            totals.store.map { "to \($0)\(totals.why == nil ? "" : ": nothing new is sent")" } ?? "no store is in use",
            totals.why ?? "", phases,
        ].filter { !$0.isEmpty }
    }
}

/// `vigil cloud push`
struct CloudPushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Send clips to the cloud, whatever their policy says.")

    @Argument(help: "The clips, by the ids that vigil clips shows.")
    var clips: [ClipArgument]

    @Option(help: "What is written beside the job, and told with each of its stages.")
    var note: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let jobs = try await socket.ask { client in
            var jobs: [UploadInfo] = []
            for clip in clips.map(\.value) { jobs.append(try await client.push(clip: clip, note: note)) }
            return jobs
        }
        if format.json { return try Output.json(jobs) }
        for job in jobs {
            try Output.line("clip \(job.clip ?? 0) of \(job.camera): job \(job.id), will play from \(job.url)")
        }
    }
}

/// `vigil cloud retry`
struct CloudRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try jobs again that failed, and ask a store that refused.",
        discussion: "A clip that is there and was not encoded is encoded again.")

    @OptionGroup var orders: UploadOrderOptions

    func run() async throws {
        try await orders.carryOut(
            "tried again", { try await $0.retry(upload: $1) }, { try await $0.retryUploads(of: $1) })
    }
}

/// `vigil cloud cancel`
struct CloudCancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Give jobs up; what was sent of them is removed.",
        discussion:
            "The local clips are not touched. Of a clip that is there and is being encoded, what was made of it is removed; the clip stays. Clips that a policy keeps until they are sent follow its rules again."
    )

    @OptionGroup var orders: UploadOrderOptions

    func run() async throws {
        try await orders.carryOut(
            "cancelled", { try await $0.cancel(upload: $1) }, { try await $0.cancelUploads(of: $1) })
    }
}

/// Which jobs an order is for; common to retry and cancel.
struct UploadOrderOptions: ParsableArguments {
    @Argument(help: "The jobs, by the ids that vigil cloud queue shows.")
    var jobs: [Int64] = []

    @Flag(help: "Every job for which that can be done.")
    var all = false

    @Option(name: .long, help: "With --all: only of this camera; several are separated by commas.")
    var camera: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        if jobs.isEmpty != all { throw ValidationError("name the jobs, or give --all") }
        if camera != nil, !all { throw ValidationError("--camera goes with --all") }
    }

    /// Gives the order to the jobs that are named, or to all.
    func carryOut(
        _ done: String, _ one: (DaemonClient, Int64) async throws -> UploadInfo,
        _ every: (DaemonClient, [String]?) async throws -> OrderedUploads
    ) async throws {
        try await socket.ask { client in
            if all {
                let ordered = try await every(client, camera?.split(separator: ",").map(String.init))
                return try format.json ? Output.json(ordered) : Output.line("\(ordered.jobs) jobs \(done)")
            }
            var changed: [UploadInfo] = []
            for job in jobs { changed.append(try await one(client, job)) }
            if format.json { return try Output.json(changed) }
            for job in changed { try Output.line("job \(job.id) of \(job.camera): \(job.phase.rawValue)") }
        }
    }
}
