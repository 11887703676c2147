import Foundation
import Testing

/// Live RTSP cameras of Tests/rig, with a log of every frame that they sent.
final class Rig {
    /// The addresses of the cameras by name.
    let urls: [String: String]
    /// What was sent, one JSON line a frame, and what happened at the cameras.
    let log: String
    private let process = Process()
    private let input = Pipe()

    struct DidNotStart: Error {}

    /// The folder of the scripts.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("rig").path
    /// Where the media of make_media.py is kept.
    static let store = NSTemporaryDirectory() + "vigil-rig-media"

    /// The address of camera `front`.
    var url: String { urls["front"] ?? "" }

    /// Starts camera `front`, which plays a file of make_media.py.
    convenience init(_ media: String, in folder: String) throws {
        try self.init(media: [media], cameras: ["front": media], in: folder)
    }

    /// Starts cameras that play files of `media`, each given as a file's name with options of camera.py, such as
    /// `a.mp4,switch=b.mp4@5s`.
    init(media: [String], cameras: [String: String], in folder: String) throws {
        let made = try RunningDaemon.run("/usr/bin/python3", [Self.folder + "/make_media.py", Self.store] + media)
        guard made.status == 0 else { throw DidNotStart() }
        log = folder + "/sent.jsonl"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments =
            [Self.folder + "/camera.py", "--log", log]
            + cameras.sorted { $0.key < $1.key }.flatMap { name, script in
                let path = media.reduce(script) { $0.replacing($1, with: "\(Self.store)/\($1)") }
                return ["--camera", "\(name)=\(path)"]
            }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("ready") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw DidNotStart() }
            text += String(decoding: data, as: UTF8.self)
        }
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        urls = Dictionary(
            lines.filter { $0.count == 3 && $0[0] == "camera" }.map { (String($0[1]), String($0[2])) },
            uniquingKeysWith: { $1 })
        guard urls.count == cameras.count else { throw DidNotStart() }
    }

    /// Gives a command, such as `stop front`.
    func command(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// When the cameras' clients began to play, and when their scenes were switched, in milliseconds since boot.
    func happened(_ event: String, at camera: String) throws -> [Int] {
        var (boot, monotonic) = (timespec(), timespec())
        clock_gettime(CLOCK_BOOTTIME, &boot)
        clock_gettime(CLOCK_MONOTONIC, &monotonic)
        let asleep = (boot.tv_sec - monotonic.tv_sec) * 1_000 + (boot.tv_nsec - monotonic.tv_nsec) / 1_000_000
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard line.contains("\"\(event)\""),
                let entry = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                entry["event"] as? String == event, entry["camera"] as? String == camera,
                let seconds = entry["sent"] as? Double
            else { return nil }
            return Int(seconds * 1_000) + asleep
        }
    }

    /// Ends the cameras.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
