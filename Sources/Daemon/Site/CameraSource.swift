public import Media
public import Policies

extension PictureRotation {
    /// The rotation of a configuration.
    init(_ rotation: Configuration.Camera.Rotation) { self = rotation == .half ? .half : .none }
}

/// How what a configuration says of a camera becomes something to dial.
public enum CameraSource {
    /// The source at one of a camera's addresses, with its login looked up. Blocking. Throws a `CredentialProblem`, or an
    /// `RTSPAddress.Refusal`.
    public static func source(
        _ address: SourceAddress, _ camera: Configuration.Camera, _ credentials: CredentialStore
    ) throws -> InputSource {
        switch address {
        case .demo: return .demo(DemoOptions(name: camera.name, tellsMovement: camera.detection != .off))
        case .file(let path): return .file(path: path)
        case .rtsp(let text):
            return .rtsp(
                try RTSPAddress(text), credential: try credential(camera, credentials),
                transport: camera.transport == .udp ? .udp : .tcp, tls: rules(camera),
                g726: G726Order(rawValue: camera.g726.rawValue) ?? .auto)
        }
    }

    /// The login at a camera; nil where it needs none. Blocking. Throws a `CredentialProblem`.
    static func credential(
        _ camera: Configuration.Camera, _ credentials: CredentialStore
    ) throws -> CameraCredential? {
        guard let name = camera.credential else { return nil }
        let found = try credentials.credential(name)
        return CameraCredential(user: found.user, password: found.password, allowsBasic: camera.allowsBasic)
    }

    /// What is demanded of a camera's certificate.
    static func rules(_ camera: Configuration.Camera) -> TLSRules {
        TLSRules(
            authorityFile: camera.tls.authorityFile,
            verification: TLSRules.Verification(rawValue: camera.tls.verification.rawValue) ?? .full)
    }
}
