internal import Machines
internal import Media
internal import ONVIF
internal import Policies

/// Where and how the device of a camera is asked by ONVIF.
struct CameraDevice: Hashable, Sendable {
    let address: ServiceAddress
    let credential: CameraCredential?
    let tls: TLSRules

    /// That `camera` names no address that is one.
    struct NoAddress: Error, CustomStringConvertible {
        let description = "this is no address of a device: write http://HOST or https://HOST"
    }

    /// The device of a camera; nil where it names none. Reads its login from files: to be called by ``Blocking``. Throws
    /// ``NoAddress``, or why there is no login.
    static func of(_ camera: Configuration.Camera, _ configuration: Configuration) throws -> CameraDevice? {
        guard let text = camera.onvif else { return nil }
        guard let address = ServiceAddress(device: text) else { throw NoAddress() }
        let credential = try CameraSource.credential(camera, CredentialStore(references: configuration.credentials))
        return CameraDevice(address: address, credential: credential, tls: CameraSource.rules(camera))
    }
}

extension Configuration.Camera {
    /// The addresses of its streams, by which a device of several channels knows which is this camera's.
    var streams: [String] {
        Endpoint.allCases.flatMap { [main[$0], sub?[$0]] }.compactMap { $0?.text }
    }
}
