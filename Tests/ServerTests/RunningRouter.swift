internal import Hummingbird
internal import Logging
internal import MemorySite
internal import ServiceLifecycle

@testable import Server

/// Routes behind bounded connections, served at a Unix socket for the length of a test.
enum RunningRouter {
    /// Begins a graceful stop of the server.
    typealias Stop = @Sendable () async -> Void
    /// What a test does with the server at the socket `path`.
    typealias Body = @Sendable (_ path: String, _ stop: @escaping Stop) async throws -> Void

    /// Serves `router` while `body` runs, then stops gracefully; `atEnd` lets go of what would hold that up.
    static func serve(
        _ router: Router<APIContext>, _ connections: Connections, atEnd: @Sendable () -> Void = {}, _ body: Body
    ) async throws {
        let path = try RunningSocket.freshPath()
        let (listening, announce) = AsyncStream.makeStream(of: Void.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let app = Application(
            router: router, server: .bounded(connections),
            configuration: ApplicationConfiguration(address: .unixDomainSocket(path: path)),
            onServerRunning: { _ in announce.finish() }, logger: logger)
        let services = ServiceGroup(configuration: .init(services: [app], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { announce.finish() }
                try await services.run()
            }
            for await _ in listening {}
            let result: Result<Void, any Error>
            do { result = .success(try await body(path) { await services.triggerGracefulShutdown() }) } catch {
                result = .failure(error)
            }
            atEnd()
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }
}
