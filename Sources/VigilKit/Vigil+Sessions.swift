internal import HTTPTypes
public import Wire

extension Vigil {
    /// The sessions of all viewers, also those that ended within the last minute.
    public func sessions() async throws -> [SessionInfo] { try await ask(.get, "/v1/sessions").answer }

    /// One of them.
    public func sessionInfo(_ id: String) async throws -> SessionInfo {
        try await ask(.get, "/v1/sessions/\(Percent.encode(id))").answer
    }

    /// Opens a session of a camera, which shows nothing and is not connected. End it with ``CameraSession/close()``.
    public func openSession(camera: String) async throws -> CameraSession {
        CameraSession(self, try await ask(.post, "/v1/cameras/\(Percent.encode(camera))/sessions").answer)
    }

    /// Runs `body` with a session of a camera that is connected, and closes it afterwards.
    public func withSession<Value: Sendable>(
        camera: String, _ body: (CameraSession) async throws -> Value
    ) async throws -> Value {
        let session = try await openSession(camera: camera)
        do {
            try await session.connect()
            let value = try await body(session)
            _ = try? await session.close()
            return value
        } catch {
            // Also where this task was cancelled: the daemon would keep it for minutes.
            await Task { _ = try? await session.close() }.value
            throw error
        }
    }
}
