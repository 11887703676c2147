public import VigilKit

/// Allocates a transport for movement, cut as the camera's own recording is, and sets it active; nil where the camera has as many as
/// it can have.
public func addMotionTransport(
    _ vigil: Vigil, camera: String, sensitivity: Int, longestSeconds: Int64
) async throws -> TransportInfo? {
    let own = try await vigil.transport(camera: camera, number: TransportInfo.own)
    var options = own.transportOptions
    options.triggerOptions = TransportTriggerOptions(
        triggerType: "motion", motionSensitivity: sensitivity,
        motionTimeControl: TransportTimeControl(
            initialDuration: min(10, longestSeconds), augmentationDuration: 5,
            maxDuration: longestSeconds, blindDuration: 0),
        maxPreRollLen: 5_000)
    return try await addTransport(vigil, camera: camera, options)
}

/// Finds a camera's transport for movement beside its own recording, and changes how sensitive it is, how long it records, or both;
/// nil where there is none.
public func changeMotionTransport(
    _ vigil: Vigil, camera: String, sensitivity: Int?, longestSeconds: Int64?
) async throws -> TransportInfo? {
    let transports = try await vigil.transports(camera: camera)
    let found = transports.first { transport in
        transport.connectionID != TransportInfo.own
            && transport.transportOptions.triggerOptions?.triggerType == "motion"
    }
    guard let found else { return nil }
    let change = TransportOptions(
        triggerOptions: TransportTriggerOptions(
            motionSensitivity: sensitivity,
            motionTimeControl: longestSeconds.map { TransportTimeControl(maxDuration: $0) }))
    return try await vigil.modifyTransport(camera: camera, number: found.connectionID, change)
}

/// Triggers a transport by hand, for so many seconds; gives whether it records then.
public func recordNow(_ vigil: Vigil, camera: String, number: Int, seconds: Int64) async throws -> Bool {
    let command = TransportTriggerCommand(
        activationReason: "userInitiated",
        timeControl: TransportTimeControl(initialDuration: seconds, maxDuration: seconds))
    return try await vigil.triggerTransport(camera: camera, number: number, command).recording
}
