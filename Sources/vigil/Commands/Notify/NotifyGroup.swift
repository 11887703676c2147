internal import ArgumentParser
internal import Client

/// `vigil notify …`
struct NotifyGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "See who is told of events and problems over HTTP, and try a receiver.",
        discussion: """
            Receivers are named in vigil.yaml (notify); which events they are told, each policy says (notify). A message that a \
            receiver does not take is sent again, for a day at most.
            """,
        subcommands: [NotifyListCommand.self, NotifyTestCommand.self], defaultSubcommand: NotifyListCommand.self)
}

/// `vigil notify list`
struct NotifyListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the newest messages with what became of them, and the receivers with what waits.")

    @OptionGroup var cameras: CamerasOption

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        try await socket.ask { client in
            let list = try await client.notifications(of: cameras.names)
            if format.json { return try Output.json(list) }
            try Self.tell(list, try await client.clock())
        }
    }

    /// The messages as a table, and a line for each receiver.
    static func tell(_ list: NotificationList, _ clock: DisplayClock) throws {
        var table = Table([
            ("ID", .right), ("RECEIVER", .left), ("TELLS", .left), ("CAMERA", .left), ("EVENT", .right),
            ("AT", .left), ("STATE", .left), ("TRIES", .right), ("WHY", .left),
        ])
        for one in list.notifications {
            table.add(
                String(one.id), one.receiver, one.problem.map { "\(one.kind.rawValue) \($0)" } ?? one.kind.rawValue,
                one.camera ?? "",
                one.event.map { String($0) } ?? "", clock.show(one.at), one.state.rawValue,
                String(one.attempts), one.why ?? "")
        }
        try table.write(orSay: "nobody was told anything")
        for receiver in list.receivers {
            let outage = receiver.failingSince.map { ", takes none since \(clock.show($0)): \(receiver.why ?? "")" }
            Output.note(
                "\(receiver.receiver): \(receiver.kind.rawValue) at \(receiver.address), \(receiver.waiting) wait\(outage ?? "")"
            )
        }
    }
}

/// `vigil notify test`
struct NotifyTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a receiver a trial at once, and say whether it took it.",
        discussion: "Where it did, what waits for it is tried at once, too.")

    @Argument(help: "The receiver's name.")
    var name: String

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let name = name
        try await socket.ask { client in
            let trial = try await client.test(receiver: name)
            if format.json { try Output.json(trial) } else if trial.taken { try Output.line("\(name) took it") }
            guard !trial.taken else { return }
            if !format.json { Output.note("\(name) was not told: \(trial.why ?? "no reason is known")") }
            throw ExitCode.failure
        }
    }
}
