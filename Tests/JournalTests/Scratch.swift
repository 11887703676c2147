import Foundation
import Glibc

/// Folders and files that the tests make, and the files of the source tree that they compare with.
enum Scratch {
    struct CannotMake: Error { let errno: Int32 }

    /// The folder of all folders of this process; removed when it ends.
    private static let base: String = {
        atexit { try? FileManager.default.removeItem(atPath: Scratch.base) }
        let path = "/tmp/vigil-journal-\(getpid())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()

    /// A new folder with a short name: an address of a Unix socket holds 107 bytes.
    static func folder() throws -> String {
        var template = Array("\(base)/XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CannotMake(errno: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func file(_ bytes: some Sequence<UInt8>) throws -> String {
        let path = try folder() + "/file"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The root of the source tree.
    static var tree: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Compares with a file of the tree; with VIGIL_UPDATE_GOLDEN set it is written first, and the difference is for the
    /// reviewer.
    static func golden(_ path: String, _ text: String) throws -> String {
        let url = tree.appendingPathComponent(path)
        if ProcessInfo.processInfo.environment["VIGIL_UPDATE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: url)
        }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    /// Runs a program to its end and gives status and output.
    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
