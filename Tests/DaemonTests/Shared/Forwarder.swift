import Foundation
import Testing

/// A port of this machine behind which the daemon's socket is, for players that know no Unix sockets.
final class Forwarder: Sendable {
    private let process = Process()
    private let input = Pipe()
    /// `http://127.0.0.1:PORT`.
    let base: String

    init(to socket: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Rig.folder + "/forward.py", socket]
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var told = Data()
        while !told.contains(10) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            told += more
        }
        let port = String(decoding: told, as: UTF8.self).split(whereSeparator: \.isWhitespace).last ?? ""
        base = "http://127.0.0.1:\(try #require(Int(port)))"
    }

    /// Ends it.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// What curl gets: the status, the fields in small letters, the body.
    func get(
        _ path: String, _ options: [String] = []
    ) throws -> (status: Int, fields: [String: String], body: Data) {
        let folder = NSTemporaryDirectory() + "vigil-curl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let told = try RunningDaemon.run(
            "/usr/bin/curl",
            ["-sS", "-D", folder + "/head", "-o", folder + "/body", "--max-time", "60"] + options + [base + path])
        guard told.status == 0 else { throw CurlFailed(words: told.errors) }
        let lines = try String(contentsOfFile: folder + "/head", encoding: .utf8).split(whereSeparator: \.isNewline)
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return (status, fields, FileManager.default.contents(atPath: folder + "/body") ?? Data())
    }

    struct CurlFailed: Error { let words: String }
}
