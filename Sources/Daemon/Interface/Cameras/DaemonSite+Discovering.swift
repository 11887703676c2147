internal import Journal
internal import Media
internal import ONVIF
internal import Policies
internal import Server

/// Finds cameras and adds them to vigil.yaml (docs/design/onvif.md).
extension DaemonSite {
    func discover(_ command: DiscoverCommand, by caller: Caller) async throws -> [FoundDevice] {
        let credential = try await Self.credential(command.login, command.credential, configuration.current)
        return try await discoveries.run { [configuration] in
            let waitMs = command.waitMs ?? 3_000
            guard let address = command.address else {
                let outcome = await Discovery.search(interfaces: Discovery.interfaces(), waitMs: waitMs)
                let found = outcome.devices.map { DeviceSearch.Target(address: $0.address, found: $0) }
                return await DeviceSearch.reports(found, nil, TLSRules(), forMs: Discoveries.searchMs).map {
                    FoundDevice($0, configuration.current)
                }
            }
            guard let target = await DeviceSearch.target(address, waitMs: waitMs) else {
                throw SiteError(
                    .invalid, what: "the address of the device", why: "it is none",
                    remedy: "write HOST, HOST:PORT or http://HOST/PATH, without a login")
            }
            return await DeviceSearch.reports([target], credential, TLSRules(), forMs: Discoveries.searchMs).map {
                FoundDevice($0, configuration.current)
            }
        }
    }

    func picture(_ command: PictureCommand, by caller: Caller) async throws -> [UInt8] {
        let what = "a picture of the stream"
        let credential = try await Self.credential(command.login, command.credential, configuration.current)
        let address: RTSPAddress
        do { address = try RTSPAddress(command.stream) } catch {
            throw SiteError(.invalid, what: what, why: "\(error)", remedy: "take the address that /v1/discover names")
        }
        return try await discoveries.run { [pictures] in
            let frame: Frame
            do throws(CameraPicture.Failure) {
                frame = try await CameraPicture.keyFrame(
                    .rtsp(address, credential: credential, transport: .tcp, tls: TLSRules(), g726: .auto),
                    withinMs: Discoveries.pictureMs)
            } catch {
                switch error {
                case .link(let failure, let detail):
                    throw SiteError(
                        .conflict, what: what, why: "\(Vocabulary.words(failure)): \(detail)",
                        remedy: "check the login, and that the camera allows another connection")
                case .late:
                    throw SiteError(
                        .conflict, what: what, why: "no key frame came within \(Discoveries.pictureMs / 1_000) s",
                        remedy: "let the camera send a key frame each few seconds")
                }
            }
            return try await pictures.run {
                do {
                    let options = SnapshotOptions(widthMax: 640, heightMax: 480, quantizer: 5)
                    return try Snapshot(frames: [frame], at: frame.pts, options: options).jpeg
                } catch {
                    throw SiteError(
                        .conflict, what: what, why: "\(error)", remedy: "look at the stream with `vigil probe`")
                }
            }
        }
    }

    func add(_ command: NewCameraCommand, by caller: Caller) async throws -> CameraInfo {
        let what = "camera \(command.name.prefix(64)) was not added"
        if let fault = CameraEditor.fault(inName: command.name) {
            throw SiteError(.invalid, what: what, why: "its name: \(fault.reason)", remedy: fault.remedy)
        }
        try await Blocking.run { [configuration] in
            do { try Self.write(command, configuration, what, .caller(caller)) } catch let refusal as Refusal {
                throw Self.refused(refusal)
            } catch let problem as EditProblem {
                throw SiteError(
                    .conflict, what: what, why: "\(problem)",
                    remedy: "write it into vigil.yaml by hand; it is read again by itself")
            } catch let problem as FileProblem {
                throw SiteError(
                    problem.kind == .system ? .failed : .conflict, what: "\(what): \(problem.path)",
                    why: problem.cause, remedy: problem.remedy)
            }
        }
        guard let added = try await cameras(in: .all).first(where: { $0.camera == command.name }) else {
            throw SiteError(
                .conflict, what: what, why: "somebody changed vigil.yaml meanwhile", remedy: "look at the cameras again"
            )
        }
        return added
    }

    /// Writes the login, then the camera; where the camera is refused the login goes again. Blocking.
    private static func write(
        _ command: NewCameraCommand, _ configuration: ConfigurationService, _ what: String, _ cause: ReloadCause
    ) throws {
        var camera = CameraEditor.NewCamera(
            name: command.name, main: command.main, sub: command.sub, onvif: command.onvif,
            credential: command.credential, policy: command.policy)
        var kept: LoginFile?
        if command.login != nil {
            guard let path = configuration.path else { throw FileProblem.noConfigurationFile }
            camera.credential = command.name
            camera.credentialFile = LoginFile.relative(command.name)
            kept = LoginFile(command.name, beside: path)
        }
        var isKept = false
        do {
            try configuration.write(cause) { text, loaded in
                guard loaded.configuration.camera(command.name) == nil else {
                    throw SiteError(
                        .conflict, what: what, why: "there is a camera of this name", remedy: "give it another name")
                }
                let changed = try CameraEditor.add(text, camera)
                if let kept, let login = command.login {
                    try kept.create(Credential(user: login.user, password: login.password))
                    isKept = true
                }
                return changed
            }
        } catch {
            if isKept { kept?.remove() }
            throw error
        }
    }

    /// The login that a command names or holds; nil where it has none.
    private static func credential(
        _ login: DeviceAccount?, _ name: String?, _ configuration: Configuration
    ) async throws -> CameraCredential? {
        if let login { return CameraCredential(user: login.user, password: login.password, allowsBasic: false) }
        guard let name else { return nil }
        do {
            let found = try await Blocking.run {
                try CredentialStore(references: configuration.credentials).credential(name)
            }
            return CameraCredential(user: found.user, password: found.password, allowsBasic: false)
        } catch let problem as CredentialProblem {
            throw SiteError(
                .invalid, what: "credential \(name.prefix(64))", why: problem.cause, remedy: problem.remedy)
        }
    }
}
