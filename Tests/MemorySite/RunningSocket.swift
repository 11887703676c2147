internal import Foundation
internal import Glibc
internal import Logging
public import Server
internal import ServiceLifecycle

/// The real server on a real socket, for the length of a test.
public enum RunningSocket {
    /// The folder of all sockets of this process; removed when it ends.
    private static let base: URL = {
        atexit { try? FileManager.default.removeItem(at: RunningSocket.base) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("vigil-\(getpid())")
    }()

    /// A path for a socket in a new folder that everybody may enter.
    public static func freshPath() throws -> String {
        let folder = base.appendingPathComponent(String(UUID().uuidString.prefix(8)))
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        return folder.appendingPathComponent("vigil.sock").path
    }

    /// Serves `site` at `path` while `body` runs, then shuts down gracefully.
    public static func with<Value: Sendable>(
        _ site: any Site, path: String, group: String = "vigil", _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let (listening, announce) = AsyncStream.makeStream(of: Void.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let socket = ControlSocket(path: path, group: group, site: site, logger: logger) { announce.finish() }
        let services = ServiceGroup(configuration: .init(services: [socket], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // Where it cannot listen at all, the wait below must end as well.
                defer { announce.finish() }
                try await services.run()
            }
            for await _ in listening {}
            let result: Result<Value, any Error>
            do { result = .success(try await body(path)) } catch { result = .failure(error) }
            await services.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return try result.get()
        }
    }
}
