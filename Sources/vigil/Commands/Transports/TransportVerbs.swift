internal import ArgumentParser
internal import Client
internal import Wire

/// `vigil transport set CAMERA NUMBER|all active|inactive`
struct TransportSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a transport active or inactive, or all of a camera.")

    @Argument(help: "The camera.")
    var camera: String

    @Argument(help: "The number of the transport, or all.")
    var number: String

    @Argument(help: "active or inactive.")
    var status: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        guard number == "all" || Int(number) != nil else { throw ValidationError("\(number) is no number, nor all") }
        guard ["active", "inactive"].contains(status) else {
            throw ValidationError("\(status): give active or inactive")
        }
    }

    func run() async throws {
        try await socket.ask { client in
            let found = try await client.setTransports(camera: camera, number: Int(number), active: status == "active")
            if format.json { return try Output.json(found) }
            try TransportTable.tell(found, try await client.clock())
        }
    }
}

/// `vigil transport trigger CAMERA NUMBER …`
struct TransportTriggerVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger", abstract: "Trigger an active transport now.",
        discussion: "A transport of trigger command needs --initial and --max. Blind time follows a command never.")

    @OptionGroup var one: TransportArgument

    @Option(
        help: ArgumentHelp(
            "Why: userInitiated, automation, emergency or doorbellPressed.", valueName: "word"))
    var reason = "userInitiated"

    @OptionGroup var times: TransportTimeOptions
    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws { _ = try times.control() }

    func run() async throws {
        let command = TransportTriggerCommand(activationReason: reason, timeControl: try times.control())
        let found = try await socket.ask {
            try await $0.triggerTransport(camera: one.camera, number: one.number, command)
        }
        if format.json { return try Output.json(found) }
        try Output.line(
            "transport \(found.connectionID) of \(found.camera) \(found.recording ? "records" : "is triggered")")
    }
}

/// `vigil transport deallocate CAMERA NUMBER`
struct TransportDeallocateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deallocate", abstract: "Take a transport away. What it recorded stays in the clips of the camera."
    )

    @OptionGroup var one: TransportArgument
    @OptionGroup var socket: SocketOption

    func run() async throws {
        _ = try await socket.ask { try await $0.deallocateTransport(camera: one.camera, number: one.number) }
        try Output.line("transport \(one.number) of \(one.camera) is deallocated")
    }
}

/// `vigil transport recordings CAMERA NUMBER`
struct TransportRecordingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recordings", abstract: "List what a transport recorded, the newest first, with the clips of it.")

    @OptionGroup var one: TransportArgument

    @Option(help: ArgumentHelp("How many at most, 1 to 1000.", valueName: "count"))
    var limit = 20

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let found = try await client.transportRecordings(camera: one.camera, number: one.number, limit: limit)
            if format.json { return try Output.json(found) }
            let clock = try await client.clock()
            var table = Table([
                ("ID", .right), ("BEGAN", .left), ("ENDED", .left), ("TRIGGER", .left), ("REASON", .left),
                ("WHY", .left),
                ("CLIPS", .left),
            ])
            for one in found {
                table.add(
                    String(one.id), clock.show(one.began), one.ended.map { clock.show($0) } ?? "", one.triggerType,
                    one.activationReason ?? "", one.why ?? "", one.clips.map { "\($0)" }.joined(separator: " "))
            }
            try table.write(orSay: "it has recorded nothing")
        }
    }
}
