import Foundation
import Ingest
import Testing

/// The strict receiver of Tests/ingest with certificates of its own, and a client certificate that it asks for.
final class Receiver {
    /// What it said of what was put.
    struct Report: Decodable {
        struct Session: Decodable {
            struct Track: Decodable {
                let kind: String?
                let segments, fillers, chunks, bytes, ms, longestMs: Int
            }

            let complete, marked: Bool
            let tracks: [String: Track]
        }

        let sessions: [String: Session]
        let problems: [String]
        let repeated, puts, orders: Int
        let versions, clients: [String]
    }

    let scratch: Scratch
    let port: Int
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    init(_ arguments: [String] = []) throws {
        scratch = try Scratch()
        for (name, host) in [("server", ["localhost", "127.0.0.1"]), ("client", ["front-door"])] {
            try Tool.run(
                Self.repository.appendingPathComponent("Tests/rig/make_tls.sh").path, [scratch.path(name)] + host)
        }
        process.executableURL = Self.repository.appendingPathComponent("Tests/ingest/receiver")
        process.arguments =
            [
                scratch.path("kept"), "--tls", scratch.path("server/cert.pem"), scratch.path("server/key.pem"),
                "--client-ca", scratch.path("client/ca.pem"),
            ] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        port = try #require(Int(Self.line(output.fileHandleForReading)))
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// How it is spoken to; `file` changes a file's place.
    var tls: IngestTLS {
        IngestTLS(
            authorityFile: scratch.path("server/ca.pem"), certificateFile: scratch.path("client/cert.pem"),
            keyFile: scratch.path("client/key.pem"))
    }

    func point(_ login: String = "") throws -> IngestPoint {
        try #require(IngestPoint("https://\(login)127.0.0.1:\(port)/push/"))
    }

    func order(_ command: String) throws { _ = try ask(command) }

    func report() throws -> Report { try JSONDecoder().decode(Report.self, from: Data(ask("report").utf8)) }

    private func ask(_ command: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
        return Self.line(output.fileHandleForReading)
    }

    private static func line(_ handle: FileHandle) -> String {
        var bytes: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The header and the segments of a track in one file, as they were kept.
    func track(_ name: String, session: Int = 1) throws -> String {
        let folder = scratch.path("kept/session_\(session)/\(name)")
        let segments = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".m4s") }
            .sorted()
        var data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).init"))
        for segment in segments { data += try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(segment)")) }
        let path = scratch.path("\(name)-\(session).mp4")
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }
}
