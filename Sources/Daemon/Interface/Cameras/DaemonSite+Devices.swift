internal import ONVIF
internal import Server

/// Cameras as devices of ONVIF.
extension DaemonSite {
    /// The device of a camera. `what` says, for a refusal, what is not done without it; `remedy` what to do where the camera has no
    /// address of ONVIF. Throws `SiteError`.
    func device(of runtime: CameraRuntime, _ what: String, else remedy: String) async throws -> CameraDevice {
        let (configured, loaded) = (runtime.assignment.camera, configuration.current)
        do {
            if let device = try await Blocking.run({ try CameraDevice.of(configured, loaded) }) { return device }
        } catch { throw Self.deviceRefusal(error, what) }
        throw SiteError(
            .conflict, what: what, why: "it has no address of ONVIF",
            remedy: "write `onvif: http://HOST` at the camera in vigil.yaml, or \(remedy)")
    }

    /// What is answered where a device, or what is known of it, does not do what was asked.
    static func deviceRefusal(_ error: any Error, _ what: String) -> any Error {
        switch error {
        case let error as ONVIFError:
            SiteError(
                error.kind == .unreachable || error.kind == .foreign ? .unavailable : .conflict, what: what,
                why: "\(error.operation): \(error.cause)", remedy: error.remedy)
        case let busy as DeviceBusy:
            SiteError(
                .unavailable, what: what, why: "\(busy.waiting) other orders wait for it",
                remedy: "wait until the camera has answered those")
        case is CancellationError, is SiteError: error
        default: SiteError(.conflict, what: what, why: "\(error)", remedy: "look at the camera in vigil.yaml")
        }
    }
}

/// That too many orders wait for a device.
struct DeviceBusy: Error {
    /// How many do.
    let waiting: Int
}
