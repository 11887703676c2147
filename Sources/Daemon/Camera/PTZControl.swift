internal import ONVIF
internal import Server
internal import ServiceLifecycle

/// Turns cameras by ONVIF.
actor PTZControl: Service {
    /// By the names of the cameras.
    private var cameras: [String: PTZCamera] = [:]

    /// Does what `command` says. Throws `ONVIFError`, ``PTZCamera/NoPreset`` or ``DeviceBusy``.
    func turn(_ camera: String, _ head: PTZHead, _ command: PTZCommand) async throws {
        try await self.camera(camera).turn(head, command)
    }

    /// Where a camera looks, and which positions it keeps. Throws `ONVIFError` or ``DeviceBusy``.
    func look(_ camera: String, _ head: PTZHead) async throws -> PTZInfo {
        try await self.camera(camera).look(head, as: camera)
    }

    private func camera(_ name: String) -> PTZCamera {
        let camera = cameras[name] ?? PTZCamera()
        cameras[name] = camera
        return camera
    }

    /// Waits for a stop, stops what moves then, and ends every connection.
    func run() async throws {
        try? await gracefulShutdown()
        await withTaskGroup(of: Void.self) { group in
            for camera in cameras.values { group.addTask { await camera.end() } }
        }
    }
}

/// What is turned: of a device the channel with one of these streams.
struct PTZHead: Hashable, Sendable {
    let device: CameraDevice
    /// The addresses of the camera's streams.
    let streams: [String]
}

/// One camera that turns. Its orders go one after the other, so that none ends what another needs.
actor PTZCamera {
    /// That the camera keeps no position of this name.
    struct NoPreset: Error {
        let name: String
    }

    /// How many orders may wait.
    static let waitingMax = 8
    /// How long a connection's knowledge is kept without an order, in milliseconds.
    static let idleMs: Int64 = 60_000
    /// How long the last stop may take when the daemon ends, in milliseconds.
    static let endMs: Int64 = 2_000

    private struct Connected {
        let head: PTZHead
        let client: DeviceClient
        /// By which it is turned; nil until the device was asked for it.
        var profile: String?
    }

    private var connected: Connected?
    /// The head that moved last and the profile by which it did, also after its connection has gone: a stop does not wait until it is found anew.
    private var turned: (head: PTZHead, profile: String)?
    /// The order that came last; the next one waits for it.
    private var last: Task<Void, Never>?
    private var waiting = 0
    /// The number of the last movement, and whether it is still to be stopped: not all cameras heed the time that they are given.
    private var movement = (number: 0, isToStop: false)
    private var stopping: Task<Void, Never>?
    private var idling: Task<Void, Never>?

    func turn(_ head: PTZHead, _ command: PTZCommand) async throws {
        try await inTurn(max: Self.waitingMax) { try await $0.perform(command, on: head) }
    }

    func look(_ head: PTZHead, as name: String) async throws -> PTZInfo {
        try await inTurn(max: Self.waitingMax) { camera in
            try await camera.asking(head) { client, profile in
                // What does not tell its position, or keeps none, can be turned all the same.
                var (status, presets) = (PTZStatus?.none, [PTZPreset]())
                do { status = try await client.status(profile) } catch let error as ONVIFError
                    where error.isOfOneOperation
                {}
                do { presets = try await client.presets(profile) } catch let error as ONVIFError
                    where error.isOfOneOperation
                {}
                return PTZInfo(
                    camera: name, pan: status?.pan, tilt: status?.tilt, zoom: status?.zoom, moving: status?.isMoving,
                    presets: presets.map { PTZInfo.Preset(token: $0.token, name: $0.name) })
            }
        }
    }

    /// Stops what moves, within a bound, and ends the connection. No order comes any more.
    func end() async {
        stopping?.cancel()
        idling?.cancel()
        if movement.isToStop, let turned {
            if let connected, connected.head == turned.head {
                try? await connected.client.stop(turned.profile, within: Self.endMs)
            } else {
                let client = Self.client(of: turned.head, boundMs: Self.endMs)
                do {
                    try await client.connect()
                    try await client.stop(turned.profile)
                } catch {
                    // It was told to move for a time, and nobody is left who could try again.
                }
                await client.shutdown()
            }
        }
        await disconnect()
    }

    // MARK: Orders

    /// Does `work` after what waits already. Throws ``DeviceBusy`` where `max` wait; what a camera is owed, its stop, waits always.
    private func inTurn<Answer: Sendable>(
        max: Int = .max, _ work: @escaping @Sendable (isolated PTZCamera) async throws -> Answer
    ) async throws -> Answer {
        guard waiting < max else { throw DeviceBusy(waiting: max) }
        waiting += 1
        defer { waiting -= 1 }
        let before = last
        let order = Task {
            await before?.value
            return try await work(self)
        }
        last = Task { _ = await order.result }
        return try await order.value
    }

    private func perform(_ command: PTZCommand, on head: PTZHead) async throws {
        try await asking(head, isStop: command.stop != nil) { client, profile in
            if let move = command.move { try await self.move(move, head, client, profile) }
            if command.stop != nil {
                try await client.stop(profile)
                movement.isToStop = false
            }
            if command.home != nil {
                try await client.turnHome(profile)
                movement.isToStop = false
            }
            if let name = command.preset {
                try await client.turn(profile, to: try await preset(name, client, profile))
                movement.isToStop = false
            }
            if let name = command.save {
                let preset = try await client.presets(profile).first { $0.name == name }
                try await client.keep(profile, as: name, in: preset)
            }
            if let name = command.remove { try await client.forget(profile, try await preset(name, client, profile)) }
        }
    }

    /// Moves. Whatever comes of the request, the camera is told to stop when the time is over: it may have taken what it did not
    /// answer.
    private func move(
        _ move: PTZCommand.Move, _ head: PTZHead, _ client: DeviceClient, _ profile: String
    ) async throws {
        let forMs = move.forMs ?? PTZCommand.forMsDefault
        (movement, turned) = ((movement.number + 1, true), (head, profile))
        let number = movement.number
        stopping?.cancel()
        defer {
            stopping = Task {
                try? await Task.sleep(for: .milliseconds(forMs))
                try? await self.inTurn { try await $0.stop(number, head) }
            }
        }
        try await client.move(
            profile, at: PTZVelocity(pan: move.pan ?? 0, tilt: move.tilt ?? 0, zoom: move.zoom ?? 0), forMs: forMs)
    }

    /// Stops a movement unless it is over or another one has begun.
    private func stop(_ number: Int, _ head: PTZHead) async throws {
        guard movement == (number, true) else { return }
        try await asking(head, isStop: true) { client, profile in try await client.stop(profile) }
        movement.isToStop = false
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

    // MARK: The connection

    /// Lets `ask` ask the device, with the profile by which the head is turned. `isStop`: that of the last movement is taken over a new
    /// connection too, and looked for only where the device refuses it.
    private func asking<Answer: Sendable>(
        _ head: PTZHead, isStop: Bool = false, _ ask: (DeviceClient, String) async throws -> Answer
    ) async throws -> Answer {
        idling?.cancel()
        defer {
            idling = Task {
                try? await Task.sleep(for: .milliseconds(Self.idleMs))
                if !Task.isCancelled { try? await self.inTurn { await $0.disconnect() } }
            }
        }
        let client = try await connect(to: head)
        do {
            if isStop, connected?.profile == nil, let turned, turned.head == head {
                do { return try await ask(client, turned.profile) } catch let error as ONVIFError
                    where error.kind == .refused
                {}
            }
            return try await ask(client, try await profile(of: head, client))
        } catch let error as ONVIFError {
            // After a failure the next order asks anew where its services are.
            if error.kind != .refused { await disconnect() }
            throw error
        }
    }

    private static func client(of head: PTZHead, boundMs: Int64? = nil) -> DeviceClient {
        let device = head.device
        return DeviceClient(
            address: device.address, credential: device.credential, tls: device.tls, boundMs: boundMs)
    }

    private func connect(to head: PTZHead) async throws -> DeviceClient {
        if let connected, connected.head == head { return connected.client }
        await disconnect()
        let client = Self.client(of: head)
        do {
            try await client.connect()
            connected = Connected(head: head, client: client, profile: nil)
            return client
        } catch {
            await client.shutdown()
            throw error
        }
    }

    private func profile(of head: PTZHead, _ client: DeviceClient) async throws -> String {
        if let profile = connected?.profile { return profile }
        let profile = try await client.profileOfPTZ(of: head.streams)
        connected?.profile = profile
        return profile
    }

    private func disconnect() async {
        guard let gone = connected else { return }
        connected = nil
        await gone.client.shutdown()
    }
}
