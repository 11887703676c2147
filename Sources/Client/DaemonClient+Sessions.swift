internal import NIOHTTP1
public import Server

extension DaemonClient {
    /// The sessions of all viewers.
    public func sessions() async throws -> [SessionInfo] { try await ask(.GET, "/v1/sessions").answer }
}
