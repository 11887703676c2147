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
            if let move = command.move { try await self.move(camera, client, profile, move) }
            if command.stop != nil {
                try await client.stop(profile)
                stops.removeValue(forKey: camera)?.cancel()
            }
            if command.home != nil {
                stops.removeValue(forKey: camera)?.cancel()
                try await client.turnHome(profile)
            }
            if let name = command.save {
                let preset = try await client.presets(profile).first { $0.name == name }
                try await client.keep(profile, as: name, in: preset)
            }
            if let name = command.remove {
                try await client.forget(profile, try await preset(name, client, profile))
            }
            if let name = command.preset {
                let preset = try await preset(name, client, profile)
                stops.removeValue(forKey: camera)?.cancel()
                try await client.turn(profile, to: preset)
            }
        }
        return try await look(camera, device)
    }

    /// Moves, and ends what moved before. Whatever comes of the request, the camera is told to stop when the time is over: it may
    /// have taken what it did not answer.
    private func move(
        _ camera: String, _ client: DeviceClient, _ profile: String, _ move: PTZCommand.Move
    ) async throws {
        let forMs = move.forMs ?? PTZCommand.forMsDefault
        stops.removeValue(forKey: camera)?.cancel()
        defer {
            stops[camera]?.cancel()
            stops[camera] = Task {
                try? await Task.sleep(for: .milliseconds(forMs))
                if !Task.isCancelled { try? await client.stop(profile) }
            }
        }
        try await client.move(
            profile, at: PTZVelocity(pan: move.pan ?? 0, tilt: move.tilt ?? 0, zoom: move.zoom ?? 0), forMs: forMs)
    }

    /// The position of this name, else of this token.
    private func preset(_ name: String, _ client: DeviceClient, _ profile: String) async throws -> PTZPreset {
        let presets = try await client.presets(profile)
        guard let preset = presets.first(where: { $0.name == name }) ?? presets.first(where: { $0.token == name })
        else {
            throw NoPreset(name: name)
        }
        return preset
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
            // Another order may have asked meanwhile, and go on with what it found.
            if let other = turned[camera], other.device == device {
                await client.shutdown()
                return other
            }
            turned[camera] = new
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
