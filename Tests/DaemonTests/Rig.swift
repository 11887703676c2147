import Dispatch
import Foundation
import Journal
import Machines
import Testing

/// Live RTSP cameras of Tests/rig, with a log of every frame that they sent.
final class Rig: Sendable {
    /// The addresses of the cameras by name.
    let urls: [String: String]
    /// What was sent, one JSON line a frame, and what happened at the cameras.
    let log: String
    private let process = Process()
    private let input = Pipe()
    private let lines: Awaited<[String]>

    struct DidNotStart: Error {}

    /// The folder of the scripts.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("rig").path
    /// Where the media of make_media.py is kept.
    static let store = NSTemporaryDirectory() + "vigil-rig-media"

    /// The address of camera `front`.
    var url: String { urls["front"] ?? "" }

    /// Starts camera `front`, which cases a file of make_media.py, with options of camera.py.
    convenience init(_ media: String, options: [String] = [], in folder: String) throws {
        try self.init(media: [media], cameras: ["front": media], options: options, in: folder)
    }

    /// Starts cameras that case files of `media`, each given as a file's name with options of camera.py, such as
    /// `a.mp4,stamp`.
    init(media: [String], cameras: [String: String], options: [String] = [], in folder: String) throws {
        let made = try RunningDaemon.run("/usr/bin/python3", [Self.folder + "/make_media.py", Self.store] + media)
        guard made.status == 0 else { throw DidNotStart() }
        log = folder + "/sent.jsonl"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments =
            [Self.folder + "/camera.py", "--log", log, "--tell"] + options
            + cameras.sorted { $0.key < $1.key }.flatMap { name, script in
                let path = media.reduce(script) { $0.replacing($1, with: "\(Self.store)/\($1)") }
                return ["--camera", "\(name)=\(path)"]
            }
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        lines = Awaited(linesOf: output.fileHandleForReading)
        let told = lines.wait { lines in lines.contains { $0.hasPrefix("ready ") } ? lines : nil }
        guard let words = told?.map({ $0.split(separator: " ") }) else { throw DidNotStart() }
        urls = Dictionary(
            words.filter { $0.count == 3 && $0[0] == "camera" }.map { (String($0[1]), String($0[2])) },
            uniquingKeysWith: { $1 })
        guard urls.count == cameras.count else { throw DidNotStart() }
    }

    /// Gives a command, such as `stop front`.
    func command(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// The scene of a camera that cases `still.mp4` of `media`.
    func scene(_ camera: String) -> Scene { Scene(rig: self, camera: camera) }

    /// Milliseconds since boot.
    static func now() -> Int { Int(MachineClock().now().ms) }

    /// When the cameras' clients began to case, and when their scenes were switched, in milliseconds since boot.
    func happened(_ event: String, at camera: String) -> [Int] { Self.happened(event, at: camera, in: lines.value) }

    private static func happened(_ event: String, at camera: String, in lines: [String]) -> [Int] {
        // The cameras' clock stands still while the machine sleeps.
        let asleep = now() - Int(DispatchTime.now().uptimeNanoseconds / 1_000_000)
        return lines.compactMap { line in
            guard line.contains("\"\(event)\""),
                let entry = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                entry["event"] as? String == event, entry["camera"] as? String == camera,
                let seconds = entry["sent"] as? Double
            else { return nil }
            return Int(seconds * 1_000) + asleep
        }
    }

    /// When the camera's scene was switched after its first `count` times, in milliseconds since boot; waits for the first frame of it.
    func switched(_ camera: String, after count: Int) throws -> Int {
        let found = lines.wait { Self.happened("switch", at: camera, in: $0).dropFirst(count).first }
        guard let found else {
            throw StatePoller.DidNotCome(
                what: "a switch of the scene of \(camera)", log: lines.value.suffix(20).joined(separator: "\n"))
        }
        return found
    }

    /// Ends the cameras.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// What a camera sees: a square that rests, and moves when it is told to.
struct Scene: Sendable {
    let rig: Rig
    let camera: String
    /// `-sub` where it is that of a sub-stream.
    var kind: String { camera.hasSuffix("-sub") ? "-sub" : "" }

    /// The media of scenes, and of those of sub-streams.
    static let media = ["still.mp4", "moving.mp4", "burst.mp4"]
    static let subMedia = ["still-sub.mp4", "moving-sub.mp4"]

    /// From now on it moves.
    func move() throws { try timedCase("moving") }
    /// From now on it rests; where it moved before, it is back at its place at once, which is movement too.
    func rest() throws { try timedCase("still") }
    /// It moves for 1.2 s from now on and rests then, at the place where it was. Measured in the whole daemon on two cores:
    /// the usual sensitivity notices it after 0.6 to 0.8 s, the lowest one after 0.7 to 1.2 s, which makes at least two
    /// detections; the last comes after 1.4 to 1.8 s. All of that holds while the detector never rests, which it does not
    /// where a zone has no movement; else the next key frame tells what was seen before, up to 2.7 s after the begin.
    func burst() throws { try timedCase("burst") }

    private func timedCase(_ file: String) throws {
        try rig.command("switch \(camera) \(Rig.store)/\(file)\(kind).mp4")
    }
}
