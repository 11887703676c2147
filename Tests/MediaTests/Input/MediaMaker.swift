import Foundation

/// Makes media with ffmpeg, and asks ffmpeg about media: the independent opinion that the tests compare with.
struct MediaMaker {
    struct Failure: Error {
        let command: String
        let complaint: String
    }

    /// A folder of its own, removed by `remove()`.
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("vigil-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Runs a tool; gives what it wrote to stdout and stderr.
    @discardableResult
    func run(_ tool: String, _ arguments: [String]) throws -> (output: Data, complaint: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool] + arguments
        process.standardInput = FileHandle.nullDevice
        // Files, not pipes: a full pipe would stop the tool.
        let files = [path("out-\(UUID().uuidString)"), path("err-\(UUID().uuidString)")]
        for file in files { try Data().write(to: URL(fileURLWithPath: file)) }
        let handles = try files.map { try FileHandle(forWritingTo: URL(fileURLWithPath: $0)) }
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        try process.run()
        process.waitUntilExit()
        let data = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let complaint = String(decoding: data[1], as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw Failure(command: ([tool] + arguments).joined(separator: " "), complaint: complaint)
        }
        return (data[0], complaint)
    }

    /// Two seconds (or more) of a test picture and a tone.
    func make(_ name: String, seconds: Int = 2, video: [String], audio: [String] = []) throws -> String {
        var arguments = ["-v", "error", "-y"]
        if !video.isEmpty { arguments += ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25"] }
        if !audio.isEmpty { arguments += ["-f", "lavfi", "-i", "sine=f=440:r=48000"] }
        // Nobody looks at it: what takes the encoder least, unless `video` says otherwise behind it.
        if video.contains(where: { ["libx264", "libx265"].contains($0) }) { arguments += ["-preset", "veryfast"] }
        arguments += ["-t", "\(seconds)"] + video + audio + [path(name)]
        try run("ffmpeg", arguments)
        return path(name)
    }

    /// Decodes `name` in `format` and gives ffmpeg's warnings and the hashes of the pictures in their order.
    func decode(_ file: String, format: String) throws -> (warnings: String, hashes: [String]) {
        let result = try run(
            "ffmpeg", ["-v", "warning", "-f", format, "-i", file, "-map", "0:v", "-f", "framemd5", "-"])
        return (result.complaint, MediaMaker.hashes(result.output))
    }

    /// The hashes of the pictures of any file.
    func pictures(_ file: String) throws -> [String] {
        MediaMaker.hashes(try run("ffmpeg", ["-v", "error", "-i", file, "-map", "0:v", "-f", "framemd5", "-"]).output)
    }

    private static func hashes(_ output: Data) -> [String] {
        String(decoding: output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    /// pts and dts of the packets of a stream (`v` or `a`) in ticks of its time base, with duration and key flag.
    func packets(_ file: String, _ stream: String) throws -> [(pts: Int64, dts: Int64, duration: Int64, isKey: Bool)] {
        let output = try run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts,dts,duration,flags", "-of",
                "compact=nk=1:p=0", file,
            ]
        ).output
        return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard fields.count >= 4, let pts = Int64(fields[0]), let dts = Int64(fields[1]) else { return nil }
            return (pts, dts, Int64(fields[2]) ?? 0, fields[3].hasPrefix("K"))
        }
    }
}
