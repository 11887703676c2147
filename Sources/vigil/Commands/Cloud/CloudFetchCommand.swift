internal import ArgumentParser
internal import Client

/// `vigil cloud fetch CLIP…`
struct CloudFetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Bring clips back to the disk that only the cloud has, and keep them there.",
        discussion: """
            What comes back is what was sent, byte for byte, and is protected: no rule deletes it until vigil protect --release \
            gives it back to the rules. The cloud's copy stays. It goes on if this command is ended; without a clip, what was asked \
            for is listed. If one cannot be fetched, the exit status is 3.
            """)

    @Argument(help: "The clips, as vigil cloud slices numbers them: -7 -8.")
    var clips: [ClipArgument] = []

    @Flag(help: "Give them up that are not there yet.")
    var cancel = false

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        if cancel && clips.isEmpty { throw ValidationError("--cancel takes clips") }
        guard clips.count <= 1_000 else { throw ValidationError("at most 1000 clips at a time") }
    }

    func run() async throws {
        try await socket.ask { client in
            if clips.isEmpty { return try await list(client) }
            var asked: [CloudFetch] = []
            for clip in clips.map(\.value) {
                asked.append(try await cancel ? client.cancelFetch(clip: clip) : client.fetch(clip: clip))
            }
            let over = cancel ? asked : try await wait(asked, client)
            if format.json {
                try Output.json(over)
            } else if cancel {
                for fetch in over { try Output.line("clip \(fetch.clip) of \(fetch.camera): given up") }
            }
            let missing = cancel ? [] : over.filter { $0.phase != .kept }
            if !missing.isEmpty {
                throw Failure("\(missing.count) of \(over.count) clips were not fetched", status: 3)
            }
        }
    }

    /// Tells each clip when there is nothing left to do for it.
    private func wait(_ asked: [CloudFetch], _ client: DaemonClient) async throws -> [CloudFetch] {
        var over: [Int64: CloudFetch] = [:]
        var told: [Int64: String] = [:]
        while true {
            let now = Dictionary(
                try await client.cloudFetches().map { ($0.clip, $0) }, uniquingKeysWith: { _, later in later })
            for one in asked where over[one.clip] == nil {
                // The daemon was started again, or has forgotten it behind a thousand others.
                guard let fetch = now[one.clip] else {
                    throw Failure("clip \(one.clip) is not being fetched any more: was the daemon started again?")
                }
                if fetch.isOver {
                    over[one.clip] = fetch
                    if !format.json { try say(fetch) }
                } else if let why = fetch.why, told[one.clip] != why {
                    told[one.clip] = why
                    Output.note("clip \(fetch.clip): \(why); it is tried again")
                }
            }
            let ended = asked.compactMap { over[$0.clip] }
            if ended.count == asked.count { return ended }
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    private func say(_ fetch: CloudFetch) throws {
        switch fetch.phase {
        case .kept:
            try Output.line(
                "clip \(fetch.clip) of \(fetch.camera): on the disk as clip \(fetch.kept.map(String.init) ?? "?"), "
                    + "\(Words.size(fetch.bytes)), protected")
        case .failed: Output.note("clip \(fetch.clip) of \(fetch.camera): \(fetch.why ?? "it failed")")
        case .waiting, .fetching, .cancelled: Output.note("clip \(fetch.clip) of \(fetch.camera): given up")
        }
    }

    private func list(_ client: DaemonClient) async throws {
        let clock = try await client.clock()
        let fetches = try await client.cloudFetches()
        if format.json { return try Output.json(fetches) }
        var table = Table([
            ("CLIP", .right), ("CAMERA", .left), ("START", .left), ("SIZE", .right), ("READ", .right), ("STATE", .left),
            ("ON THE DISK", .right), ("WHY", .left),
        ])
        for fetch in fetches {
            table.add(
                String(fetch.clip), fetch.camera, clock.show(fetch.start), Words.size(fetch.bytes),
                Words.size(fetch.fetchedBytes), fetch.phase.rawValue, fetch.kept.map(String.init) ?? "", fetch.why ?? ""
            )
        }
        try table.write(orSay: "nothing was fetched from the cloud since the daemon began")
    }
}
