import Foundation

/// A receiver of Tests/rig, as strict as the documentation of what it is.
final class NotificationReceiver: Sendable {
    /// Its port on 127.0.0.1.
    let port: Int
    private let process = Process()
    private let input = Pipe()
    private let lines: Awaited<[String]>

    struct DidNotStart: Error {}

    /// Starts one with these arguments of receiver.py; it listens when this returns.
    init(port: Int = 0, _ arguments: [String] = []) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Rig.folder + "/receiver.py", "--port", "\(port)"] + arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        lines = Awaited(linesOf: output.fileHandleForReading)
        let ready = lines.wait { $0.first { $0.hasPrefix("ready ") } }
        guard let found = ready?.split(separator: " ").last.flatMap({ Int($0) }) else { throw DidNotStart() }
        self.port = found
    }

    /// Answers with this status from now on, and takes nothing.
    func refuse(_ status: Int) throws { try say("status \(status)") }

    /// Takes messages again.
    func accept() throws { try say("ok") }

    private func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The messages that it took, of a kind.
    func taken(_ kind: String) -> [[String: Any]] {
        lines.value.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
            .filter { $0["kind"] as? String == kind && $0["answered"] as? Int == 200 }
    }

    /// What it refused.
    var refused: [String] { lines.value.filter { $0.contains("\"why\"") } }

    /// Ends it.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
