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

    /// The device of a camera; nil where it names none. Looks its login up. Throws ``NoAddress``, or why there is no login.
    static func of(_ camera: Configuration.Camera, _ configuration: Configuration) async throws -> CameraDevice? {
        guard let text = camera.onvif else { return nil }
        guard let address = ServiceAddress(device: text) else { throw NoAddress() }
        let references = configuration.credentials
        let credential = try await Blocking.always {
            try CameraSource.credential(camera, CredentialStore(references: references))
        }
        return CameraDevice(address: address, credential: credential, tls: CameraSource.rules(camera))
    }
}
