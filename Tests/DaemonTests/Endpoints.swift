import Foundation
import Testing

/// Endpoints of Tests/rig/faulty.py.
final class Endpoints {
    let ports: [String: String]
    private let process = Process()
    private let input = Pipe()

    init(_ kinds: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Rig.folder + "/faulty.py"] + kinds
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = Awaited(linesOf: output.fileHandleForReading)
        let told = lines.wait { lines in lines.contains { $0.hasPrefix("ready ") } ? lines : nil }
        let said = try #require(told)
        let words: [[String]] = said.map { $0.split(separator: " ").map(String.init) }
        ports = Dictionary(
            words.filter { $0.count == 2 && kinds.contains($0[0]) }.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 }
        )
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
