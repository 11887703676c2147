import Foundation
import Testing

/// A daemon that runs: the built program with a folder of its own.
final class RunningDaemon: Sendable {
    let folder: String
    let root: String
    let socket: String
    private let process: Process
    /// In seconds since 1970.
    private let began = Int(Date().timeIntervalSince1970)

    /// The built program, beside the test bundle.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("vigil").path

    /// A new folder, gone with the test that made it.
    static func freshFolder() throws -> String {
        let folder = NSTemporaryDirectory() + "vigil-daemon-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Writes a configuration of one policy into `folder`: `recording` of it, then the sections `rest`. Gives the file's path.
    static func configuration(in folder: String, recording: String, _ rest: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { \(recording) }\n"
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        let file = folder + "/vigil.yaml"
        try "http: { listen: none }\npolicies: [ policies/ ]\n\(rest)\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// The demo's policy but for the length of its clips: a busy machine may need longer than a minute for what a test does with one.
    private static let demoPolicy = """
        # Records around the clock; what moves is marked as an event. Try mode: event, or sensitivity: 1.
        name: demo
        recording: { mode: continuous, sensitivity: 5, maxEventLength: 30s, preRoll: 5s, clipLength: 10m }
        retention: { continuous: 1d, events: 1d, maxSize: 2GB }

        """

    /// Starts a daemon on `folder`: the demo, or the configuration there. `environment` is added to that of the tests.
    init(folder: String, config: String? = nil, environment: [String: String] = [:]) throws {
        self.folder = folder
        root = folder + "/data"
        socket = folder + "/s"
        if config == nil, case let policies = root + "/config/policies",
            !FileManager.default.fileExists(atPath: policies)
        {
            try FileManager.default.createDirectory(atPath: policies, withIntermediateDirectories: true)
            try Self.demoPolicy.write(toFile: policies + "/demo.yaml", atomically: true, encoding: .utf8)
        }
        process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments =
            ["run", "--root", root, "--socket", socket]
            + (config.map { ["--config", $0] } ?? ["--demo", "--listen", "none"])
        // Whoever runs the tests may be a service; the daemon that they start is not.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "JOURNAL_STREAM" }
            .merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        let log = folder + "/log"
        if !FileManager.default.fileExists(atPath: log) {
            guard FileManager.default.createFile(atPath: log, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
        let handle = try #require(FileHandle(forWritingAtPath: log))
        try handle.seekToEnd()
        process.standardError = handle
        try process.run()
    }

    /// What it told so far: to journald where that listens, else to its standard error.
    var log: String {
        let lines = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
        if lines.contains("Vigil started") { return lines }
        // journald is a process of its own, which may be behind.
        _ = try? Self.run("/usr/bin/journalctl", ["--sync"])
        let wanted = ["--quiet", "--no-pager", "-o", "cat", "--since", "@\(began)", "_PID=\(pid)"]
        return lines + ((try? Self.run("/usr/bin/journalctl", wanted).output) ?? "")
    }

    /// Whether it runs.
    var isRunning: Bool { process.isRunning }

    /// Its process.
    var pid: Int32 { process.processIdentifier }

    /// Ends it by a signal and gives its exit status.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        if process.isRunning { kill(pid, signal) }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends it at once, whatever it is doing, and its cameras; its folder goes.
    func discard(_ rig: Rig? = nil) {
        end(SIGKILL)
        rig?.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Runs the program against it.
    func vigil(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        try Self.run(Self.program, arguments + ["--socket", socket])
    }

    /// What a listing answers.
    func json(_ arguments: [String]) throws -> [[String: Any]] {
        let answer = try vigil(arguments + ["--json"])
        return try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: Any]] ?? []
    }

    /// Its cameras as they are now, or one.
    func state(_ camera: String? = nil) throws -> [[String: Any]] {
        guard let camera else { return try asked("/v1/states") }
        return [try asked("/v1/cameras/\(camera)/state")]
    }

    /// The first thousand of its clips, the oldest first. `query`: parameters beside it.
    func clips(_ query: String = "") throws -> [[String: Any]] { try asked("/v1/clips?limit=1000&\(query)") }

    /// The first thousand of its events, the oldest first. `query`: parameters beside it.
    func events(_ query: String = "") throws -> [[String: Any]] { try asked("/v1/events?limit=1000&\(query)") }

    /// The revision of the policy `name` that is in force.
    func revision(of name: String) throws -> String {
        let policy = try json(["policy", "list"]).first { $0["name"] as? String == name }
        return try #require(policy?["revision"] as? String, "no policy \(name)")
    }

    /// How many viewers it has. Whoever is gone is listed for a minute more.
    func viewers() throws -> Int {
        let viewers: [[String: Any]] = try asked("/v1/sessions")
        return viewers.count { $0["phase"] as? String != "ended" }
    }

    /// It does not answer, or not as asked.
    struct Unanswered: Error {
        let path: String
        let status: Int
        let text: String
    }

    private func asked<Answer>(_ path: String) throws -> Answer {
        let answer = try ask("GET", path)
        // Thrown, not required: whoever waits for a daemon that starts goes on waiting.
        guard answer.status == 200 else { throw Unanswered(path: path, status: answer.status, text: answer.text) }
        return try #require(JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? Answer)
    }

    /// Asks it on its socket: the status of what it answers, 0 where it does not, and the body. To start `vigil` for it takes ten times
    /// as long: it brings all of libav.
    func ask(_ method: String, _ path: String, _ body: String? = nil) throws -> (status: Int, text: String) {
        let words = ["-s", "-m", "60", "--unix-socket", socket, "-w", "\n%{http_code}", "-X", method]
        let json = body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
        let output = try Self.run("/usr/bin/curl", words + json + ["http://vigil\(path)"]).output
        let end = try #require(output.lastIndex(of: "\n"))
        return (Int(output[end...].dropFirst()) ?? 0, String(output[..<end]))
    }

    /// How long a fact may take, in seconds. Far longer than it does: many tests share two cores.
    static let patience = 180.0

    /// Waits for a fact, and fails when it does not come in time. The fact is whatever the daemon, another process, answers or
    /// wrote; not each such change is told to anybody, so it is asked for again and again. The pause between two questions decides
    /// nothing: too short costs load (each runs a program, `vigil` a twelfth of a second of a processor), too long costs time, and the
    /// deadline is far. So what takes longer is asked for less often.
    func wait(_ what: String, until holds: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        var pause = Duration.milliseconds(100)
        while ContinuousClock.now < deadline {
            if (try? holds()) == true { return }
            try await Task.sleep(for: pause)
            pause = min(pause * 5 / 4, .milliseconds(500))
        }
        Issue.record("did not come: \(what)\n\(log.suffix(3_000))")
        throw CancellationError()
    }

    /// Waits until the camera carries a label.
    func wait(camera: String, coverage: String) async throws {
        try await wait("\(camera) \(coverage)") {
            try state(camera).first?["coverage"] as? String == coverage
        }
    }

    /// Does on a thread of its own what waits for long: tests share one thread a processor, and would wait with it.
    static func aside<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    /// Runs a program to its end.
    static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let told = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: told, as: UTF8.self),
            String(decoding: complained, as: UTF8.self)
        )
    }
}
