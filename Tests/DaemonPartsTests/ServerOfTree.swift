import Foundation
import Testing

/// A server of the tree's, in a process of its own, which says what the file says that it is given.
final class ServerOfTree {
    /// Its port on 127.0.0.1.
    let port: Int
    private let folder = NSTemporaryDirectory() + "vigil-server-\(UUID().uuidString.prefix(8))"
    private let process = Process()
    /// It ends with its standard input, whatever becomes of this one.
    private let input = Pipe()
    /// What it prints, line by line, after the first.
    let lines: AsyncStream<String>

    /// Starts Tests/`script` with a file and these arguments, and waits until it listens.
    init(_ script: String, _ arguments: [String], says text: String = "{}") async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: folder + "/says.json", atomically: true, encoding: .utf8)
        let tree = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = tree.appending(path: script)
        process.arguments = [folder + "/says.json"] + arguments
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        try process.run()
        // A thread of its own: it waits for as long as the server lives.
        Thread.detachNewThread {
            var rest = Data()
            while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = rest[rest.index(after: end)...]
                }
            }
            continuation.finish()
        }
        let ready = await lines.first { _ in true }?.split(separator: " ")
        port = try #require(ready?.first == "ready" ? ready?.last.flatMap { Int($0) } : nil)
    }

    deinit {
        // It inherits that the test's threads take no other signal.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// What it does from now on.
    func says(_ text: String) throws {
        try text.write(toFile: folder + "/says.json", atomically: true, encoding: .utf8)
    }
}
