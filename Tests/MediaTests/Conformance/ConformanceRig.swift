import Foundation
import Synchronization

/// The scripted cameras of Tests/rig/quirks, all in one process that ends with the tests.
final class ConformanceRig: Sendable {
    struct DidNotStart: Error {}

    private static let started = Result { try ConformanceRig() }
    static let program = "/usr/bin/python3"
    /// The folder of the project.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// The scripts.
    static let folder = root.appendingPathComponent("Tests/rig/quirks").path

    let rows: [ConformanceRow]
    private let process = Process()
    private let input = Pipe()
    private let lines: Mutex<LineReader>

    /// The cameras; started once.
    static func shared() throws -> ConformanceRig { try started.get() }

    private init() throws {
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = [Self.folder]
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var reader = LineReader(handle: output.fileHandleForReading)
        var rows: [ConformanceRow] = []
        while true {
            guard let line = reader.next() else { throw DidNotStart() }
            if line == "ready" { break }
            rows.append(try JSONDecoder().decode(ConformanceRow.self, from: Data(line.utf8)))
        }
        self.rows = rows
        lines = Mutex(reader)
    }

    /// What the camera of a row tells of its clients so far.
    func told(_ row: ConformanceRow) throws -> ConformanceTold {
        let line = try lines.withLock { reader in
            try input.fileHandleForWriting.write(contentsOf: Data("told \(row.name)\n".utf8))
            return reader.next()
        }
        guard let line else { throw DidNotStart() }
        return try JSONDecoder().decode(ConformanceTold.self, from: Data(line.utf8))
    }
}

/// The lines of a pipe, one after the other.
struct LineReader {
    let handle: FileHandle
    private var data = Data()

    init(handle: FileHandle) { self.handle = handle }

    /// The next line; nil at the end.
    mutating func next() -> String? {
        while true {
            if let end = data.firstIndex(of: UInt8(ascii: "\n")) {
                defer { data.removeSubrange(...end) }
                return String(decoding: data[..<end], as: UTF8.self)
            }
            let more = handle.availableData
            guard !more.isEmpty else { return nil }
            data.append(more)
        }
    }
}
