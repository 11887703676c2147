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
        let what = "\(keys) of camera \(camera) was not set"
        let device = try await device(of: runtime, what, else: "set it on the camera's own page")
        do { return try await devices.set(runtime, device, values, keep: keep) } catch {
            guard let refusal = error as? DeviceConversation.Refusal else { throw Self.deviceRefusal(error, what) }
            // Of several it says which one.
            let key = values.count > 1 ? "\(refusal.key.rawValue): " : ""
            throw SiteError(
                refusal.isForeign ? .unavailable : .conflict, what: what, why: "\(key)\(refusal)",
                remedy: refusal.remedy)
        }
    }
}
