internal import HTTPTypes
public import Wire

/// Transports: independent triggers and recorders of a camera, by the semantics of Matter's Push AV Stream Transport. What refuses is a
/// `SiteError` with Matter's name for it in `matter`. Number 0 is the camera's own recording.
extension Vigil {
    /// What transports a camera can have, and what of Matter's is not done: asked before anything else.
    public func transportCapabilities(camera: String) async throws -> TransportCapabilities {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/transports/capabilities").answer
    }

    /// The transports of a camera by number, its own recording first.
    public func transports(camera: String) async throws -> [TransportInfo] {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/transports").answer
    }

    /// One transport of a camera.
    public func transport(camera: String, number: Int) async throws -> TransportInfo {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/transports/\(number)").answer
    }

    /// Whether a camera records: some transport of it is active.
    public func isRecording(camera: String) async throws -> Bool {
        try await transports(camera: camera).contains { $0.transportStatus == "active" }
    }

    /// Allocates a transport, which is inactive at first.
    public func allocateTransport(camera: String, _ options: TransportOptions) async throws -> TransportInfo {
        try await ask(.post, "/v1/cameras/\(Percent.encode(camera))/transports", body: options).answer
    }

    /// Changes what `options` say of a transport, and keeps the rest. Gives what holds then.
    public func modifyTransport(camera: String, number: Int, _ options: TransportOptions) async throws -> TransportInfo
    {
        try await ask(.patch, "/v1/cameras/\(Percent.encode(camera))/transports/\(number)", body: options).answer
    }

    /// Sets a transport active or inactive; nil: all of the camera, its own recording too. Gives those.
    public func setTransports(camera: String, number: Int?, active: Bool) async throws -> [TransportInfo] {
        try await ask(
            .put, "/v1/cameras/\(Percent.encode(camera))/transports/status",
            body: TransportStatusCommand(connectionID: number, transportStatus: active ? "active" : "inactive")
        ).answer
    }

    /// Triggers a transport now. Gives what it is then.
    public func triggerTransport(
        camera: String, number: Int, _ command: TransportTriggerCommand
    ) async throws -> TransportInfo {
        try await ask(.post, "/v1/cameras/\(Percent.encode(camera))/transports/\(number)/trigger", body: command).answer
    }

    /// Takes a transport away; gives what it was. What it recorded stays in the clips of the camera.
    public func deallocateTransport(camera: String, number: Int) async throws -> TransportInfo {
        try await ask(.delete, "/v1/cameras/\(Percent.encode(camera))/transports/\(number)").answer
    }

    /// The recordings of a transport, the newest first: those before the id `before` where it is given, 1…10 000 of them.
    public func transportRecordings(
        camera: String, number: Int, before: Int64? = nil, limit: Int = 100
    ) async throws -> [TransportRecording] {
        try await ask(
            .get, "/v1/cameras/\(Percent.encode(camera))/transports/\(number)/recordings",
            query: [("before", before.map(String.init)), ("limit", "\(limit)")]
        ).answer
    }
}
