internal import ArgumentParser
internal import Client
internal import Wire

/// `vigil transport …`
struct TransportGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transport",
        abstract:
            "Record a camera by further triggers of their own, by the semantics of Matter's Push AV Stream Transport.",
        discussion: """
            A transport records its camera while it is active and triggered: by motion in zones of its own, by command, or always. \
            Its media are clips of the camera, which are kept once, however many transports record. Number 0 is the camera's own \
            recording. A refusal says what Matter calls it.
            """,
        subcommands: [
            TransportCapabilitiesCommand.self, TransportListCommand.self, TransportShowCommand.self,
            TransportAllocateCommand.self, TransportModifyCommand.self, TransportSetCommand.self,
            TransportTriggerVerb.self, TransportDeallocateCommand.self, TransportRecordingsCommand.self,
        ])
}

/// `vigil transport capabilities CAMERA`
struct TransportCapabilitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capabilities",
        abstract: "Say what transports a camera can have, and what of Matter's is not done.")

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let found = try await socket.ask { try await $0.transportCapabilities(camera: camera) }
        if format.json { return try Output.json(found) }
        try Output.line("\(found.camera): \(found.maxTransports) transports beside its own recording at most")
        try Output.line("  triggers: \(found.triggerTypes.joined(separator: ", "))")
        try Output.line("  video: \(found.videoStreams.isEmpty ? "none was seen" : "yes")")
        try Output.line("  sound: \(found.audioStreams.isEmpty ? "none was seen" : "yes")")
        try Output.line("  zones: \(found.zones.isEmpty ? "none" : found.zones.joined(separator: ", "))")
        if let interval = found.keyFrameInterval { try Output.line("  key frames: every \(interval) ms") }
        try Output.line("  pushed: by \((found.cmafInterfaces ?? []).joined(separator: ", "))")
        try Output.line("  TLS endpoints: \((found.tlsEndpoints ?? []).map(String.init).joined(separator: ", "))")
        for one in found.unsupported { try Output.line("  not done: \(one.name): \(one.why)") }
    }
}

/// `vigil transport list CAMERA`
struct TransportListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the transports of a camera, its own recording first.")

    @Argument(help: "The camera.")
    var camera: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let found = try await client.transports(camera: camera)
            if format.json { return try Output.json(found) }
            try TransportTable.tell(found, try await client.clock())
        }
    }
}

/// `vigil transport show CAMERA NUMBER`
struct TransportShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all options of a transport, as JSON.")

    @OptionGroup var one: TransportArgument
    @OptionGroup var socket: SocketOption

    func run() async throws {
        try Output.json(try await socket.ask { try await $0.transport(camera: one.camera, number: one.number) })
    }
}

/// Transports for people.
enum TransportTable {
    private static func push(_ push: TransportPush) -> String {
        switch (push.state, push.session) {
        case ("waiting", _): "waits: \(push.why ?? ""), \(push.waitingMs / 1_000) s"
        case (_, let session?): "session \(session), \(push.segments) segments"
        default: "\(push.sessions) sessions, \(push.segments) segments"
        }
    }

    static func tell(_ transports: [TransportInfo], _ clock: DisplayClock) throws {
        var table = Table([
            ("NUMBER", .right), ("STATUS", .left), ("TRIGGER", .left), ("ZONES", .left), ("RECORDS", .left),
            ("EXPIRES", .left), ("PUSH", .left),
        ])
        for one in transports {
            let trigger = one.transportOptions.triggerOptions
            let zones = trigger?.motionZones?.map { $0.zone ?? "outside" }.joined(separator: ",")
            table.add(
                String(one.connectionID), one.transportStatus, trigger?.triggerType ?? "", zones ?? "",
                one.recording ? "yes" : "no", one.expires.map { clock.show($0) } ?? "",
                one.push.map(push) ?? "")
        }
        try table.write(orSay: "there is no transport")
    }
}
