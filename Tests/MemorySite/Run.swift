internal import Foundation

/// Runs another program.
public enum Run {
    /// What a program left.
    public struct Result: Sendable {
        /// Its exit status.
        public var status: Int32
        /// Its standard output.
        public var output: String
        /// Its standard error.
        public var errors: String
    }

    /// Runs `program` with `arguments`, `environment` added to this process's, and waits for its end on a thread of its
    /// own.
    public static func tool(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], folder: String? = nil
    ) async throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        async let out = read(output.fileHandleForReading)
        async let err = read(errors.fileHandleForReading)
        let (outData, errData) = (await out, await err)
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: outData, as: UTF8.self),
            errors: String(decoding: errData, as: UTF8.self))
    }

    private static func read(_ handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: (try? handle.readToEnd()) ?? Data()) }
        }
    }
}
