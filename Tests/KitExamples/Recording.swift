public import VigilKit

/// Switches all that records a camera off where something does, else on.
public func toggleRecording(_ vigil: Vigil, camera: String) async throws {
    let isRecording = try await vigil.isRecording(camera: camera)
    _ = try await vigil.setTransports(camera: camera, number: nil, active: !isRecording)
}

/// Sets how sensitive the camera's own recording is, and how long an event is at most.
public func setOwnRecording(
    _ vigil: Vigil, camera: String, sensitivity: Int, longestSeconds: Int64
) async throws -> TransportInfo {
    let options = TransportOptions(
        triggerOptions: TransportTriggerOptions(
            motionSensitivity: sensitivity,
            motionTimeControl: TransportTimeControl(maxDuration: longestSeconds)))
    let changed = try await vigil.modifyTransport(camera: camera, number: TransportInfo.own, options)
    return changed
}

/// Allocates a transport and sets it active; nil where the camera has as many as it can have.
public func addTransport(_ vigil: Vigil, camera: String, _ options: TransportOptions) async throws -> TransportInfo? {
    do {
        let made = try await vigil.allocateTransport(camera: camera, options)
        let number = made.connectionID
        return try await vigil.setTransports(camera: camera, number: number, active: true).first
    } catch let VigilError.refused(refusal) where refusal.matter == "RESOURCE_EXHAUSTED" {
        return nil
    }
}
