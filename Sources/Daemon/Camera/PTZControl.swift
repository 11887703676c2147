internal import ONVIF
internal import Server
internal import ServiceLifecycle

/// Turns cameras by ONVIF, one client for each camera, which is kept as long as its address and login stay the same.
actor PTZControl: Service {
    /// That a camera keeps no position of this name.
    struct NoPreset: Error {
        let name: String
    }

    private struct Turned {
        let device: CameraDevice
        let client: DeviceClient
        let profile: String
    }

    /// By the names of the cameras.
    private var turned: [String: Turned] = [:]
    /// What ends the movement of a camera. Cameras end it by themselves, but not all heed the time that they are given.
    private var stops: [String: Task<Void, Never>] = [:]

    /// Does what `command` says, and tells where the camera looks then.
    func turn(_ camera: String, _ device: CameraDevice, _ command: PTZCommand) async throws -> PTZInfo {
        try await asking(camera, device) { client, profile in
            if let move = command.move {
                let forMs = move.forMs ?? PTZCommand.forMsDefault
                stops.removeValue(forKey: camera)?.cancel()
                try await client.move(
                    profile, at: PTZVelocity(pan: move.pan ?? 0, tilt: move.tilt ?? 0, zoom: move.zoom ?? 0),
                    forMs: forMs)
                stops[camera]?.cancel()
                stops[camera] = Task {
                    try? await Task.sleep(for: .milliseconds(forMs))
                    if !Task.isCancelled { try? await client.stop(profile) }
                }
            } else {
                stops.removeValue(forKey: camera)?.cancel()
            }
            if command.stop != nil { try await client.stop(profile) }
            if command.home != nil { try await client.turnHome(profile) }
            if let name = command.preset ?? command.save ?? command.remove {
                let presets = try await client.presets(profile)
                let preset = presets.first { $0.name == name } ?? presets.first { $0.token == name }
                if command.save != nil {
                    try await client.keep(profile, as: name, in: preset)
                } else if let preset {
                    try await command.remove == nil ? client.turn(profile, to: preset) : client.forget(profile, preset)
                } else {
                    throw NoPreset(name: name)
                }
            }
        }
        return try await look(camera, device)
    }

    /// Where a camera looks, and which positions it keeps.
    func look(_ camera: String, _ device: CameraDevice) async throws -> PTZInfo {
        try await asking(camera, device) { client, profile in
            let presets = try await client.presets(profile)
            // What does not tell its position can be turned all the same.
            var status: PTZStatus?
            do { status = try await client.status(profile) } catch let error as ONVIFError where error.isOfOneOperation
            {}
            return PTZInfo(
                camera: camera, pan: status?.pan, tilt: status?.tilt, zoom: status?.zoom, moving: status?.isMoving,
                presets: presets.map { PTZInfo.Preset(token: $0.token, name: $0.name) })
        }
    }

    private func asking<Answer: Sendable>(
        _ camera: String, _ device: CameraDevice,
        _ ask: (DeviceClient, String) async throws -> Answer
    ) async throws -> Answer {
        let known = try await known(camera, device)
        do { return try await ask(known.client, known.profile) } catch let error as ONVIFError {
            // After a failure the next order asks anew where its services are.
            if error.kind != .refused, turned[camera]?.client === known.client {
                turned[camera] = nil
                await known.client.shutdown()
            }
            throw error
        }
    }

    private func known(_ camera: String, _ device: CameraDevice) async throws -> Turned {
        if let known = turned[camera] {
            if known.device == device { return known }
            turned[camera] = nil
            await known.client.shutdown()
        }
        let client = DeviceClient(address: device.address, credential: device.credential, tls: device.tls)
        do {
            try await client.connect()
            let new = Turned(device: device, client: client, profile: try await client.profileOfPTZ())
            // Another order may have asked meanwhile.
            if let other = turned.updateValue(new, forKey: camera) { await other.client.shutdown() }
            return new
        } catch {
            await client.shutdown()
            throw error
        }
    }

    /// Waits for a stop, and ends every connection then. Cameras end their movements by themselves.
    func run() async throws {
        try? await gracefulShutdown()
        for stop in stops.values { stop.cancel() }
        for one in turned.values { await one.client.shutdown() }
        (stops, turned) = ([:], [:])
    }
}
