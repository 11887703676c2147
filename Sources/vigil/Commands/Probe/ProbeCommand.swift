internal import ArgumentParser
internal import Daemon
internal import FoundationEssentials
internal import Machines
internal import Media
internal import Policies

/// `vigil probe`
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Dial a camera, and say what it offers and what Vigil records of it.",
        discussion: """
            Works without the daemon, keeps nothing, and needs no configuration for an address. What it prints holds no \
            login and is what a report about a camera needs. Exit status 1 where nothing of the camera can be recorded.

            The login of an address: --credential NAME, which is looked up as in vigil.yaml, for example in the variable \
            VIGIL_CREDENTIAL_NAME as user:password.
            """)

    @Argument(help: "An address (rtsp://, rtsps://, file:///…, demo), or the name of a camera in --config.")
    var camera: String

    @Option(help: ArgumentHelp("The configuration that names the camera or the credential.", valueName: "file"))
    var config = "/etc/vigil/vigil.yaml"

    @Flag(help: "The sub-stream of the named camera instead of its main stream.")
    var sub = false

    @Option(help: ArgumentHelp("The name of the credential for an address.", valueName: "name"))
    var credential: String?

    @Option(help: ArgumentHelp("How the packets of an address come: tcp or udp.", valueName: "transport"))
    var transport = "tcp"

    @Option(help: ArgumentHelp("A file of certificates that are trusted for an address.", valueName: "file"))
    var tlsCa: String?

    @Option(help: ArgumentHelp("How the certificate of an address is checked: full, chain or none.", valueName: "how"))
    var tlsVerify = "full"

    @Flag(help: "Send the password of an address in clear where the camera takes it no other way.")
    var allowBasic = false

    @Option(help: ArgumentHelp("For how many seconds to watch, 1 to 60.", valueName: "seconds"))
    var seconds = 5

    @OptionGroup var format: JSONFlag

    func validate() throws {
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds must be 1 to 60") }
        guard RTPTransport(rawValue: transport) != nil else { throw ValidationError("--transport must be tcp or udp") }
        guard TLSRules.Verification(rawValue: tlsVerify) != nil else {
            throw ValidationError("--tls-verify must be full, chain or none")
        }
        guard !isAddress || !sub else { throw ValidationError("--sub needs the name of a camera") }
    }

    private var isAddress: Bool { camera == "demo" || camera.contains(":") }

    private struct Answer: Encodable {
        let address: String
        let isRecorded: Bool
        let report: ProbeReport
    }

    func run() async throws {
        let (address, source) = try isAddress ? ofAddress() : ofCamera()
        let report = await CameraProbe.run(source, ms: Int64(seconds) * 1_000)
        if format.json {
            try Output.json(Answer(address: address.redacted, isRecorded: report.isRecorded, report: report))
        } else {
            try Output.line(ProbePage(address: address.redacted, report: report).text)
        }
        guard report.isRecorded else {
            throw Failure("nothing of this camera can be recorded: \(report.failureDetail ?? "see above")")
        }
    }

    private func ofAddress() throws -> (SourceAddress, InputSource) {
        guard let address = SourceAddress(camera) else {
            throw Failure(
                "this is no address that Vigil dials: write rtsp://HOST/PATH, rtsps://HOST/PATH, file:///PATH or demo; a user "
                    + "and a password never stand in it, --credential names them")
        }
        switch address {
        case .demo: return (address, .demo(DemoOptions(name: "probe")))
        case .file(let path): return (address, .file(path: path))
        case .push: throw Failure("a camera that pushes is not dialled: `vigil state` shows who pushes")
        case .rtsp(let text):
            let login = try credential.map { name in
                let known = try? ConfigurationLoader().load(config).result.get().configuration.credentials
                let found = try CredentialStore(references: known ?? [:]).credential(name)
                return CameraCredential(user: found.user, password: found.password, allowsBasic: allowBasic)
            }
            let rules = TLSRules(
                authorityFile: tlsCa, verification: TLSRules.Verification(rawValue: tlsVerify) ?? .full)
            return (
                address,
                .rtsp(
                    try RTSPAddress(text), credential: login, transport: RTPTransport(rawValue: transport) ?? .tcp,
                    tls: rules)
            )
        }
    }

    private func ofCamera() throws -> (SourceAddress, InputSource) {
        let loaded: LoadedConfiguration
        do { loaded = try ConfigurationLoader().load(config).result.get() } catch {
            throw Failure("\(config) cannot be used:\n\(error.story)")
        }
        guard let found = loaded.configuration.camera(camera) else {
            throw Failure(
                "there is no camera \"\(camera)\" in \(config): name one of it, or give an address (rtsp://…)")
        }
        guard let addresses = sub ? found.sub : found.main else {
            throw Failure("camera \(camera) has no sub-stream in \(config)")
        }
        let wanted: [Endpoint] =
            switch found.connect {
            case .auto, .lan: [.lan, .internet]
            case .internet: [.internet, .lan]
            case .lanOnly: [.lan]
            case .internetOnly: [.internet]
            }
        guard let address = wanted.lazy.compactMap({ addresses[$0] }).first else {
            throw Failure("camera \(camera) has no address in \(config)")
        }
        let credentials = CredentialStore(references: loaded.configuration.credentials)
        return (address, try CameraSource.source(address, found, credentials))
    }
}
