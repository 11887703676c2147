internal import ArgumentParser
internal import Client

/// `vigil messages`
struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "List what an operator should know, the newest first, or clear it.",
        discussion:
            "Clearing a message touches no event and no clip. What still holds is told again when it is said again.")

    @OptionGroup var cameras: CamerasOption

    @Option(name: .long, help: ArgumentHelp("Clear this message; can be given again.", valueName: "id"))
    var clear: [Int64] = []

    @Flag(name: .long, help: "Clear every message, or all of the camera.")
    var clearAll = false

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func validate() throws {
        if clearAll, !clear.isEmpty { throw ValidationError("--clear-all clears every message: leave out --clear") }
    }

    func run() async throws {
        try await socket.ask { client in
            if clearAll { return try say(try await client.clearMessages(of: cameras.names)) }
            if !clear.isEmpty {
                var cleared = 0
                for id in clear { cleared += try await client.clear(message: id).cleared }
                return try say(ClearedMessages(cleared: cleared))
            }
            let messages = try await client.messages(of: cameras.names)
            if format.json { return try Output.json(messages) }
            try Self.table(messages, try await client.clock()).write(orSay: "no messages")
        }
    }

    private func say(_ cleared: ClearedMessages) throws {
        if format.json { return try Output.json(cleared) }
        try Output.line(cleared.cleared == 1 ? "1 message cleared" : "\(cleared.cleared) messages cleared")
    }

    /// One line for each message.
    static func table(_ messages: [MessageInfo], _ clock: DisplayClock) -> Table {
        var table = Table([
            ("ID", .right), ("CAMERA", .left), ("LAST", .left), ("TIMES", .right), ("OVER", .left), ("PRIORITY", .left),
            ("MESSAGE", .left),
        ])
        for message in messages {
            table.add(
                String(message.id), message.camera ?? "", clock.show(message.last), String(message.count),
                message.over.map(clock.show) ?? "no", message.priority, message.message)
        }
        return table
    }
}
