import Foundation

/// One live RTSP camera of Tests/rig, with a log of every frame that it sent.
final class Rig {
    /// The address of the camera.
    let url: String
    /// What was sent, one JSON line a frame.
    let log: String
    private let process = Process()
    private let input = Pipe()

    struct DidNotStart: Error {}

    /// The folder of the scripts.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("rig").path

    /// Starts a camera that plays a file of make_media.py.
    init(_ media: String, in folder: String) throws {
        let store = NSTemporaryDirectory() + "vigil-rig-media"
        let made = try RunningDaemon.run("/usr/bin/python3", [Self.folder + "/make_media.py", store, media])
        guard made.status == 0 else { throw DidNotStart() }
        log = folder + "/sent.jsonl"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Self.folder + "/camera.py", "--camera", "front=\(store)/\(media)", "--log", log]
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
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("camera front ") }) else {
            throw DidNotStart()
        }
        url = String(line.dropFirst("camera front ".count))
    }

    /// Ends the camera.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
