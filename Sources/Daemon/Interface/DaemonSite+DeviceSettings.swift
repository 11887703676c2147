internal import ONVIF
internal import Policies
internal import Server

/// What can be set of cameras themselves, by ONVIF (docs/design/settings.md).
extension DaemonSite {
    /// Sets values at the camera, and calls `keep` with what it said before when it has taken them.
    func setAtCamera<Answer: Sendable>(
        _ values: [(key: CameraSettings.Key, value: String)], _ runtime: CameraRuntime,
        keep: @escaping @Sendable (DeviceSettings) async throws -> Answer
    ) async throws -> Answer {
        let camera = runtime.name
        let keys = values.map(\.key.rawValue).joined(separator: " and ")
        let (configured, loaded) = (runtime.assignment.camera, configuration.current)
        do {
            if let device = try await Blocking.run({ try CameraDevice.of(configured, loaded) }) {
                return try await devices.set(runtime, device, values, keep: keep)
            }
        } catch { throw Self.refusal(error, "\(keys) of camera \(camera) was not set", camera) }
        throw SiteError(
            .conflict, what: "\(keys) of camera \(camera) cannot be set", why: "it has no address of ONVIF",
            remedy:
                "write `onvif: http://HOST` at the camera in vigil.yaml, or set it on the camera's own page")
    }

    private static func refusal(_ error: any Error, _ what: String, _ camera: String) -> any Error {
        switch error {
        case let error as ONVIFError:
            return SiteError(
                error.kind == .unreachable || error.kind == .foreign ? .unavailable : .conflict, what: what,
                why: "\(error.operation): \(error.cause)", remedy: error.remedy)
        case let refusal as DeviceConversation.Refusal:
            return SiteError(.conflict, what: what, why: "\(refusal)", remedy: refusal.remedy)
        case is DeviceSettingService.Busy:
            return SiteError(
                .unavailable, what: what, why: "\(DeviceSettingService.waitingMax) other orders wait for it",
                remedy: "wait until the camera has answered those")
        case is CancellationError, is SiteError: return error
        default:
            return SiteError(.conflict, what: what, why: "\(error)", remedy: "look at the camera in vigil.yaml")
        }
    }
}
