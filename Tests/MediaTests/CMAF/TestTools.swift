import Foundation
import Glibc
import RandomSource

/// Runs the independent readers and makers of media.
enum Tool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a program from PATH to its end and returns both outputs. Throws when it fails, unless that is allowed.
    @discardableResult
    static func run(_ name: String, _ arguments: [String], mayFail: Bool = false) throws -> (out: String, err: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let folder = try Scratch()
        let out = try folder.emptyFile("out")
        let err = try folder.emptyFile("err")
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        let result = (
            out: String(decoding: try Data(contentsOf: out), as: UTF8.self),
            err: String(decoding: try Data(contentsOf: err), as: UTF8.self)
        )
        guard mayFail || process.terminationStatus == 0 else {
            throw Failure(description: "\(name) \(arguments.joined(separator: " ")): \(result.err)")
        }
        return result
    }

    /// What ffmpeg complains about when it decodes everything.
    static func complaints(_ path: String) throws -> String {
        try run("ffmpeg", ["-v", "warning", "-i", path, "-f", "null", "-"], mayFail: true).err
    }

    /// The hash of each packet of one stream, in order.
    static func packetHashes(_ path: String, stream: String = "0:0") throws -> [String] {
        let arguments = ["-v", "error", "-i", path, "-map", stream, "-c", "copy", "-copyts", "-f", "framemd5", "-"]
        return try run("ffmpeg", arguments).out.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            let fields = $0.split(separator: ",")
            return fields.count > 5 ? fields[5].trimmingCharacters(in: .whitespaces) : nil
        }
    }

    /// The fields of each frame or packet that ffprobe shows.
    static func probe(_ path: String, _ entries: String, stream: String = "0") throws -> [[String: String]] {
        let arguments = [
            "-v", "error", "-select_streams", stream, "-show_entries", entries, "-of", "compact=nk=0", path,
        ]
        return try run("ffprobe", arguments).out.split(separator: "\n").map { line in
            var fields: [String: String] = [:]
            for field in line.split(separator: "|") {
                let parts = field.split(separator: "=", maxSplits: 1)
                if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
            }
            return fields
        }
    }
}

/// A folder that is removed with the last reference to it.
final class Scratch: Sendable {
    /// The folder of all folders of this process; removed when it ends, with those to which a reference stays until then.
    private static let base: URL = {
        atexit { try? FileManager.default.removeItem(at: Scratch.base) }
        return FileManager.default.temporaryDirectory.appendingPathComponent("vigil-media-\(getpid())")
    }()

    let url: URL

    init() throws {
        url = Self.base.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func emptyFile(_ name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data().write(to: file)
        return file
    }
}

extension [UInt8] {
    /// The bytes with a few changes: bits flipped, bytes cut out or doubled, the end cut off.
    func mutated(by generator: inout SeededGenerator) -> [UInt8] {
        var out = self
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !out.isEmpty {
            let place = Int.random(in: 0..<out.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: out[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            case 1: out[place] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &generator) ?? 0
            case 2: out.remove(at: place)
            case 3: out.insert(out[place], at: place)
            case 4: out.removeLast(out.count - place)
            default:
                for index in place..<Swift.min(out.count, place + 4) { out[index] = 0xff }
            }
        }
        return out
    }
}
