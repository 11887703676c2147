public import Server

/// The camera's own recording, and transports 1 and 2 of front, as far as they have not been deallocated; nothing is kept.
extension MemorySite {
    private static let known = [0, 1, 2]

    private func info(_ camera: String, _ number: Int, _ options: TransportOptions? = nil) -> TransportInfo {
        TransportInfo(
            camera: camera, connectionID: number, transportStatus: number == 2 ? "inactive" : "active",
            transportOptions: options
                ?? TransportOptions(
                    streamUsage: "recording", videoStreams: [TransportStream(name: "video", id: 0)],
                    triggerOptions: TransportTriggerOptions(triggerType: "continuous"), ingestMethod: "cmafIngest",
                    containerOptions: TransportContainerOptions(
                        containerType: "cmaf",
                        cmafContainerOptions: TransportContainerOptions.CMAF(
                            cmafInterface: "interface1", segmentDuration: 4_000, chunkDuration: 0))),
            recording: number != 2, expires: nil)
    }

    /// Everything is supported but metadata.
    public func transportCapabilities(camera: String) async throws -> TransportCapabilities {
        _ = try await state(camera: camera)
        return TransportCapabilities(
            camera: camera,
            supportedFormats: [TransportCapabilities.Format(containerFormat: "cmaf", ingestMethod: "cmafIngest")],
            streamUsages: ["recording"], triggerTypes: ["command", "motion", "continuous"], videoStreams: [0],
            audioStreams: [0], keyFrameInterval: 2_000, zones: ["gate"], maxZones: 32, maxTransports: 16,
            unsupported: [TransportCapabilities.Unsupported(name: "metadata", why: "it is in the events")],
            cmafInterfaces: ["interface1"], tlsEndpoints: [0])
    }

    /// All three.
    public func transports(camera: String) async throws -> [TransportInfo] {
        _ = try await state(camera: camera)
        return Self.known.map { info(camera, $0) }
    }

    /// `notFound` for any number above 2.
    public func transport(camera: String, number: Int) async throws -> TransportInfo {
        _ = try await state(camera: camera)
        guard Self.known.contains(number) else {
            throw SiteError(
                .notFound, what: "transport \(number)", why: "there is none", remedy: "take 0, 1 or 2",
                matter: "NOT_FOUND")
        }
        return info(camera, number)
    }

    /// `invalid` without a stream; else it is number 3.
    public func allocateTransport(
        camera: String, _ options: TransportOptions, by caller: Caller
    ) async throws -> TransportInfo {
        _ = try await state(camera: camera)
        guard options.videoStreams != nil || options.videoStreamID != nil else {
            throw SiteError(
                .invalid, what: "the transport of camera \(camera)", why: "neither video nor audio is named",
                remedy: "give videoStreams", matter: "INVALID_COMMAND")
        }
        return info(camera, 3, options)
    }

    /// What it would be.
    public func modifyTransport(
        camera: String, number: Int, _ options: TransportOptions, by caller: Caller
    ) async throws -> TransportInfo {
        var found = try await transport(camera: camera, number: number)
        found.transportOptions = options.merged(over: found.transportOptions)
        return found
    }

    /// What they would be.
    public func setTransports(
        camera: String, _ command: TransportStatusCommand, by caller: Caller
    ) async throws -> [TransportInfo] {
        guard ["active", "inactive"].contains(command.transportStatus) else {
            throw SiteError(
                .invalid, what: "the transport of camera \(camera)", why: "transportStatus is another word",
                remedy: "give active or inactive", matter: "CONSTRAINT_ERROR")
        }
        var found = try await transports(camera: camera)
        if let number = command.connectionID { found = [try await transport(camera: camera, number: number)] }
        for index in found.indices { found[index].transportStatus = command.transportStatus }
        return found
    }

    /// `conflict` for 2, which is inactive.
    public func triggerTransport(
        camera: String, number: Int, _ command: TransportTriggerCommand, by caller: Caller
    ) async throws -> TransportInfo {
        let found = try await transport(camera: camera, number: number)
        guard found.transportStatus == "active" else {
            throw SiteError(
                .conflict, what: "the transport of camera \(camera)", why: "it is inactive", remedy: "set it active",
                matter: "InvalidTransportStatus")
        }
        return found
    }

    /// What it was.
    public func deallocateTransport(camera: String, number: Int, by caller: Caller) async throws -> TransportInfo {
        try await transport(camera: camera, number: number)
    }

    /// One recording of a minute.
    public func transportRecordings(
        camera: String, number: Int, before: Int64?, limit: Int
    ) async throws -> [TransportRecording] {
        _ = try await transport(camera: camera, number: number)
        return [
            TransportRecording(
                id: 7, connectionID: number, began: Self.origin, ended: WallTime(ms: Self.origin.ms + 60_000),
                triggerType: "motion", activationReason: nil, why: "quiet", clips: [1])
        ]
    }
}
