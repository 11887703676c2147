internal import ArgumentParser
internal import Media
internal import ONVIF
internal import Policies

/// `vigil discover`
struct DiscoverDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "Look for cameras by ONVIF, and say what to write into vigil.yaml for them.",
        discussion: """
            Works without the daemon and keeps nothing. Without an address it looks on every interface but the loopback, by \
            multicast, which routers do not pass on; a camera beyond one is asked by its address: HOST, HOST:PORT or \
            http://HOST/PATH.

            With --credential NAME each camera that is found is asked for its streams with that login, which is looked up as in \
            vigil.yaml, for example in the variable VIGIL_CREDENTIAL_NAME as user:password. The password itself is not sent, but \
            who pretends to be a camera could try out passwords against the answer: where strangers are on the network, name \
            the camera. The largest picture becomes the main stream, the one near 640 by 360 the sub-stream.

            Exit status 1 where no device is found, or where a device that was named does not tell its streams.
            """)

    @Argument(help: "The addresses of cameras; without one all interfaces are searched.")
    var addresses: [String] = []

    @Option(
        help: ArgumentHelp("The interface to search, such as eth0; may be given more than once.", valueName: "name"))
    var interface: [String] = []

    @Option(help: ArgumentHelp("How long to wait for answers, 1s to 60s.", valueName: "length"))
    var wait: TimeLength?

    @Option(help: ArgumentHelp("The name of the credential to log in with.", valueName: "name"))
    var credential: String?

    @Option(help: ArgumentHelp("The configuration that says where the credential is.", valueName: "file"))
    var config = "/etc/vigil/vigil.yaml"

    @Option(help: ArgumentHelp("A file of certificates that are trusted.", valueName: "file"))
    var tlsCa: String?

    @Option(help: ArgumentHelp("How a certificate is checked: full, chain or none.", valueName: "how"))
    var tlsVerify = "full"

    @Flag(help: "Send the password in clear where a camera takes it no other way.")
    var allowBasic = false

    @Option(
        help: ArgumentHelp(
            "Tell for so long, up to 1h, what the detector and the inputs of the one camera that is named say.",
            valueName: "length"))
    var events: TimeLength?

    @OptionGroup var format: JSONFlag

    private var waitMs: Int64 { wait?.ms ?? 3_000 }

    func validate() throws {
        guard (1_000...60_000).contains(waitMs) else { throw ValidationError("--wait must be 1s to 60s") }
        guard TLSRules.Verification(rawValue: tlsVerify) != nil else {
            throw ValidationError("--tls-verify must be full, chain or none")
        }
        guard addresses.count <= 64, interface.count <= 64 else {
            throw ValidationError("at most 64 addresses or interfaces")
        }
        guard events == nil || addresses.count == 1 && !format.json else {
            throw ValidationError("--events needs one address, and tells no JSON")
        }
        guard (events?.ms ?? 1) <= 3_600_000 else { throw ValidationError("--events must be at most 1h") }
        guard addresses.isEmpty || interface.isEmpty else {
            throw ValidationError("--interface is for a search; an address is asked whichever way leads there")
        }
    }

    func run() async throws {
        let login = try credential.map { name in
            let known = try? ConfigurationLoader().load(config).result.get().configuration.credentials
            let found = try CredentialStore(references: known ?? [:]).credential(name)
            return CameraCredential(user: found.user, password: found.password, allowsBasic: allowBasic)
        }
        let targets = try await addresses.isEmpty ? search() : named()
        let rules = TLSRules(authorityFile: tlsCa, verification: TLSRules.Verification(rawValue: tlsVerify) ?? .full)
        let reports = await DeviceSearch.reports(targets, login, rules, forMs: 120_000) { count in
            Output.note("vigil discover: \(count) devices were not asked: the others took too long")
        }
        if format.json {
            try Output.json(reports)
        } else {
            try Output.line(DiscoverPage(reports: reports, credential: credential).text)
        }
        guard addresses.isEmpty || reports.allSatisfy({ $0.problem == nil }) else {
            throw Failure("a camera that was named does not tell its streams: its \"problem\" says why and what to do")
        }
        if let events, let address = targets.first?.address {
            await Self.follow(DeviceEvents(address: address, credential: login, tls: rules), events.ms)
        }
    }

    /// Tells for `ms` milliseconds what happens at a device, a line each.
    private static func follow(_ events: DeviceEvents, _ ms: Int64) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await events.run { told in
                    let words =
                        switch told {
                        case .subscribed: "subscribed"
                        case .source(.on(let name), _): "\(name) on"
                        case .source(.off(let name), _): "\(name) off"
                        case .unknown(_, let error): "\(error)"
                        case .lost(let error, let againMs): "lost: \(error); tried again in \(againMs / 1_000) s"
                        }
                    // Whoever reads no further ends the program by its time.
                    try? Output.line("event      \(words)")
                }
            }
            group.addTask { try? await Task.sleep(for: .milliseconds(ms)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func search() async throws -> [DeviceSearch.Target] {
        let interfaces = try interface.map { name in
            guard let found = Discovery.interface(named: name) else {
                throw Failure("there is no interface \"\(name)\" with an address of IPv4: `ip -4 address` lists them")
            }
            return found
        }
        let searched = interface.isEmpty ? Discovery.interfaces() : interfaces
        guard !searched.isEmpty else {
            throw Failure(
                "this machine has no interface with an address of IPv4 but the loopback: name a camera's address")
        }
        let outcome = await Discovery.search(interfaces: searched, waitMs: waitMs)
        for problem in outcome.problems { Output.note("vigil discover: not searched: \(problem)") }
        guard !outcome.devices.isEmpty else {
            let names = searched.map { "\($0.name) (\($0.address))" }.joined(separator: ", ")
            throw Failure(
                "no device of ONVIF answered within \(waitMs / 1_000) s on \(names): switch ONVIF and its discovery on in the camera, "
                    + "let UDP port 3702 through the firewall, or name the camera's address (vigil discover HOST)")
        }
        return outcome.devices.map { DeviceSearch.Target(address: $0.address, found: $0) }
    }

    private func named() async throws -> [DeviceSearch.Target] {
        var targets: [DeviceSearch.Target] = []
        for text in addresses {
            // It says itself where its service is, unless a port was named.
            if let target = await DeviceSearch.target(text, waitMs: min(waitMs, 2_000)) {
                targets.append(target)
            } else {
                throw Failure(
                    "\"\(text)\" is no address of a camera: write HOST, HOST:PORT or http://HOST/PATH; a user and a password never stand "
                        + "in it, --credential names them")
            }
        }
        return targets
    }
}
