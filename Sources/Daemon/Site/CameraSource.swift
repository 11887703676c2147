public import Media
public import Policies

extension PictureRotation {
    /// The rotation of a configuration.
    init(_ rotation: Configuration.Camera.Rotation) { self = rotation == .half ? .half : .none }
}

extension PictureViewport {
    /// The part of the picture that a setting names.
    init(_ viewport: CameraSettings.Viewport) {
        let edges = viewport.tenThousandths
        self.init(left: edges.left, top: edges.top, right: edges.right, bottom: edges.bottom)
    }
}

/// How what a configuration says of a camera becomes something to dial.
public enum CameraSource {
    /// Why a camera cannot be dialled at this address.
    struct PushOnly: Error, CustomStringConvertible {
        let description = "the camera pushes, and is not dialled"
    }

    /// The source at one of a camera's addresses, with its login looked up; `point`: where it is pushed to. Blocking. Throws a
    /// `CredentialProblem`, an `RTSPAddress.Refusal`, or where the camera pushes and there is no point a `PushOnly`.
    public static func source(
        _ address: SourceAddress, _ camera: Configuration.Camera, _ credentials: CredentialStore,
        point: PublishingPoint? = nil
    ) throws -> InputSource {
        switch address {
        case .push:
            guard let point else { throw PushOnly() }
            return .push(point)
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
