import Foundation
import Testing

/// A broker of the tests' own: mosquitto, on a port of the loopback, which keeps nothing over a restart unless it is told to.
final class Mosquitto: @unchecked Sendable {
    static let program = "/usr/sbin/mosquitto"
    /// Why a test of it is left out.
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let port: Int
    private let folder: String
    private let more: [String]
    // The test that owns it starts and ends it, from one task.
    private var process: Process?

    /// Writes a configuration into `folder`, with these lines, and starts it.
    init(in folder: String, _ configuration: [String] = ["allow_anonymous true"], client more: [String] = []) throws {
        port = Int(try ListenerTests.Port().number)
        self.folder = folder
        self.more = more
        let lines = ["listener \(port) 127.0.0.1", "max_queued_messages 0", "user root"]
        try (lines + configuration + [""]).joined(separator: "\n")
            .write(toFile: folder + "/mosquitto.conf", atomically: true, encoding: .utf8)
        try start()
    }

    /// Starts it; it takes connections when this returns.
    func start() throws {
        let process = Process()
        // Threads of the tests block SIGTERM, and it would inherit that for good.
        let unblock =
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", unblock, Self.program, "-c", folder + "/mosquitto.conf"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        let deadline = ContinuousClock.now + .seconds(RunningDaemon.patience)
        // A port that listens is told to nobody.
        while ContinuousClock.now < deadline, process.isRunning {
            if try publish("test/up", "1").status == 0 { return }
            usleep(50_000)
        }
        throw CocoaError(.executableNotLoadable)
    }

    /// Kills it: what it kept is gone. By SIGTERM it ends in order, and keeps over that what it is told to.
    func end(_ signal: Int32 = SIGKILL) {
        guard let process else { return }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        self.process = nil
    }

    /// Publishes a message.
    @discardableResult
    func publish(_ topic: String, _ payload: String, _ options: [String] = []) throws
        -> (status: Int32, output: String, errors: String)
    {
        try RunningDaemon.run(
            "/usr/bin/mosquitto_pub", ["-p", "\(port)", "-t", topic, "-m", payload] + more + options)
    }

    /// Publishes each line of a file as a message.
    func publish(_ topic: String, linesOf file: String, _ options: [String] = []) throws {
        let arguments = (["-p", "\(port)", "-q", "1", "-l", "-t", topic] + more + options).joined(separator: " ")
        let done = try RunningDaemon.run("/bin/sh", ["-c", "exec /usr/bin/mosquitto_pub \(arguments) <\(file)"])
        #expect(done.status == 0, "\(done)")
    }

    /// What it keeps of topics that fit a filter, each with its bytes. What is kept comes in the order of the subscriptions, so a mark
    /// of its own that is kept, too, comes last.
    func bytes(_ filter: String) throws -> [String: [UInt8]] {
        let mark = "test/mark"
        try publish(mark, "1", ["-r"])
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_sub")
        process.arguments = ["-p", "\(port)", "-t", filter, "-t", mark, "-F", "%r %t %x"] + more
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        var (text, kept) = ([UInt8](), [String: [UInt8]]())
        while true {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw CocoaError(.fileReadUnknown) }
            text += piece
            while let end = text.firstIndex(of: 0x0A) {
                let words = String(decoding: text[..<end], as: UTF8.self).split(
                    separator: " ", omittingEmptySubsequences: false)
                text.removeSubrange(...end)
                guard words.count == 3 else { continue }
                if filter != "#" ? words[1] == mark : words[1] == mark && kept[mark] != nil { return kept }
                if words[0] == "1" { kept[String(words[1])] = Self.bytes(hexadecimal: words[2]) }
            }
        }
    }

    private static func bytes(hexadecimal text: Substring) -> [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    /// Who hears what comes anew.
    final class Listener: Sendable {
        private let process: Process
        private let lines: Awaited<[String]>

        fileprivate init(_ arguments: [String]) throws {
            process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/mosquitto_sub")
            process.arguments = arguments
            (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
            try process.run()
            lines = Awaited(linesOf: output.fileHandleForReading)
        }

        /// What came, in order: topic and payload.
        var heard: [String] { lines.value }

        /// Ends it.
        func end() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// Listens to topics that fit a filter, from now on; beside them a mark under `test/` is heard.
    func listen(_ filter: String, _ options: [String] = ["-v"]) throws -> Listener {
        let listener = try Listener(["-p", "\(port)", "-R", "-t", filter, "-t", "test/heard"] + options + more)
        let deadline = ContinuousClock.now + .seconds(RunningDaemon.patience)
        // Nobody is told that a subscription holds.
        while listener.heard.isEmpty, ContinuousClock.now < deadline {
            try publish("test/heard", "1")
            usleep(50_000)
        }
        return listener
    }

    /// The same as text.
    func kept(_ filter: String) throws -> [String: String] {
        try bytes(filter).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    /// What it keeps of one topic; nil: nothing.
    func kept(one topic: String) throws -> String? { try kept(topic)[topic] }

    /// What it keeps of one topic, as JSON.
    func json(_ topic: String) throws -> [String: Any]? {
        try kept(one: topic).flatMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }
}
