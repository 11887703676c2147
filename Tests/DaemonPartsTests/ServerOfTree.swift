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
    private let output: URL
    /// How many lines were waited for.
    private var seen = 0

    /// Starts Tests/`script` with a file and these arguments, and waits until it listens.
    init(_ script: String, _ arguments: [String], says text: String = "{}") async throws {
        output = URL(filePath: folder + "/printed")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: folder + "/says.json", atomically: true, encoding: .utf8)
        let tree = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = tree.appending(path: script)
        process.arguments = [folder + "/says.json"] + arguments
        try Data().write(to: output)
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        try await waitUntil("\(script) listens") { [output] in Self.lines(of: output).first != nil }
        let ready = Self.lines(of: output).first?.split(separator: " ")
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

    /// The lines that it has printed, after the first. What it prints before it answers is here before its answer is.
    var printed: [String] { Array(Self.lines(of: output).dropFirst()) }

    /// Waits for the next line of which this holds; what was printed before that is not waited for again.
    @discardableResult
    func next(_ holds: (String) -> Bool = { _ in true }) async throws -> String {
        var found: String?
        try await waitUntil("a line") {
            for line in printed.dropFirst(seen) where found == nil {
                seen += 1
                if holds(line) { found = line }
            }
            return found != nil
        }
        return try #require(found)
    }

    /// The whole lines of a file.
    private static func lines(of file: URL) -> [String] {
        let text = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
