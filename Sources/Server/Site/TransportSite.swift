/// The transports of cameras, by the semantics of Matter's Push AV Stream Transport. Every refusal of a transport names what Matter
/// calls it (`SiteError.matter`).
public protocol TransportSite: Sendable {
    /// What transports a camera can have.
    func transportCapabilities(camera: String) async throws -> TransportCapabilities
    /// The transports of a camera by number, its own recording first.
    func transports(camera: String) async throws -> [TransportInfo]
    /// One of them.
    func transport(camera: String, number: Int) async throws -> TransportInfo
    /// Allocates one, inactive.
    func allocateTransport(camera: String, _ options: TransportOptions, by caller: Caller) async throws -> TransportInfo
    /// Changes what `options` say, and keeps the rest.
    func modifyTransport(
        camera: String, number: Int, _ options: TransportOptions, by caller: Caller
    ) async throws -> TransportInfo
    /// Sets one active or inactive, or all of the camera. Gives those.
    func setTransports(camera: String, _ command: TransportStatusCommand, by caller: Caller) async throws
        -> [TransportInfo]
    /// Triggers one. Gives what it is then.
    func triggerTransport(
        camera: String, number: Int, _ command: TransportTriggerCommand, by caller: Caller
    ) async throws -> TransportInfo
    /// Takes one away. Gives what it was.
    func deallocateTransport(camera: String, number: Int, by caller: Caller) async throws -> TransportInfo
    /// The recordings of one, the newest first, those before the id `before` where it is given.
    func transportRecordings(camera: String, number: Int, before: Int64?, limit: Int) async throws
        -> [TransportRecording]
}
