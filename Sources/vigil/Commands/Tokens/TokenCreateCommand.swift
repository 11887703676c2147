internal import ArgumentParser
internal import Client

/// `vigil token create`
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a token and show it, this one time.",
        discussion: "Only the token is written to standard output, so that a script can take it.")

    @Argument(help: "Its name: small letters, digits, - and _. The journal names it beside what its holder does.")
    var name: String

    @Option(help: "What its holder may do.")
    private var role: RoleArgument

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("On which cameras, by name. Default: all, also those that come later.", valueName: "camera"))
    var camera: [String] = []

    @Option(
        help: ArgumentHelp(
            "From when on it is not good any more, such as 30d (from now), \"2027-01-31\" or a time in RFC 3339. Default: never.",
            valueName: "time"))
    var expires: String?

    @OptionGroup var socket: SocketOption
    @OptionGroup var format: JSONFlag

    func run() async throws {
        let (name, role, cameras, expires) = (name, role.role, camera.isEmpty ? nil : camera, expires)
        let (created, clock, status) = try await socket.ask { client in
            let status = try await client.status()
            let clock = DisplayClock(zone: status.timeZone, now: DisplayClock.present)
            let command = CreateTokenCommand(
                name: name, role: role, cameras: cameras, expires: try expires.map { try Self.end($0, clock) })
            return (try await client.createToken(command), clock, status)
        }
        if format.json { return try Output.json(created) }
        try Output.line(created.token)
        let info = created.info
        Output.note(
            "token \(info.name): \(info.role.rawValue) of \(info.cameras?.joined(separator: ", ") ?? "all cameras"), "
                + (info.expires.map { "good until \(clock.show($0))" } ?? "good until it is revoked")
                + ". It is not shown again.")
        status.certificate?.note()
    }

    /// When a token ends: after a length of time, or at a time.
    static func end(_ text: String, _ clock: DisplayClock) throws -> WallTime {
        if let length = TimeLength(argument: text) { return WallTime(ms: clock.now.ms + length.ms) }
        return try clock.read(text)
    }
}

/// A role as an argument.
private struct RoleArgument: ExpressibleByArgument {
    let role: TokenRole

    init?(argument: String) {
        guard let role = TokenRole(rawValue: argument) else { return nil }
        self.role = role
    }

    static var allValueStrings: [String] { TokenRole.allCases.map(\.rawValue) }
}
