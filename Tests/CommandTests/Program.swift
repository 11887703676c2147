internal import Foundation
internal import MemorySite

/// The built program, beside the test bundle.
enum Program {
    /// Its path: the build puts it beside the test program.
    static let path = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("vigil").path

    /// Runs `vigil` with `arguments`.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], folder: String? = nil
    ) async throws -> Run.Result {
        try await Run.tool(path, arguments, environment: environment, folder: folder)
    }
}
