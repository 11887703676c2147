internal import ArgumentParser
internal import Client
internal import Machines

/// `vigil viewers`
struct ViewersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "viewers", abstract: "List who looks at which camera, live or recorded.",
        discussion: """
            Each viewer has a session. A session that ended is listed for a minute, with the reason.
            """)

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let (sessions, clock) = try await socket.ask { client in
            (try await client.sessions(), format.json ? nil : try await client.clock())
        }
        guard let clock else { return try Output.json(sessions) }
        var table = Table("CAMERA", "PHASE", "SINCE", "WHO", "SHOWS", "SESSION")
        for session in sessions {
            let phase = session.ended.map { "ended: \($0.rawValue)" } ?? session.phase
            table.add(
                session.camera, phase, clock.show(session.since), session.by, Self.shows(session, clock),
                session.session)
        }
        try table.write(orSay: "nobody looks at a camera")
    }

    /// What is shown, in few words.
    private static func shows(_ session: SessionInfo, _ clock: DisplayClock) -> String {
        var words: [String] = []
        if let definition = session.definition { words.append("live \(definition.rawValue)") }
        if let shown = session.shown { words.append("\(shown.rawValue) for its network") }
        if let position = session.position { words.append(clock.show(position)) }
        if let speed = session.speed, speed != 1 { words.append("at \(speed)×") }
        if session.sound { words.append("sound") }
        if session.record { words.append("recording") }
        return words.joined(separator: ", ")
    }
}
