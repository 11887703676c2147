import Foundation
import Machines
import Testing

@testable import Media

/// Media that ffmpeg has cut for pushing, and a publishing point to push it to.
final class PushRig {
    static let pusher = PublishingPoint.Pusher(login: "front", address: "192.0.2.7")

    let point = PublishingPoint(name: "/ingest/front/main")
    let maker: MediaMaker
    /// The samples of the source, by kind: what must come out.
    private(set) var source: [TrackKind: [[UInt8]]] = [:]

    static let video = ["-c:v", "libx264", "-g", "25", "-sc_threshold", "0", "-pix_fmt", "yuv420p"]

    init() throws { maker = try MediaMaker() }

    deinit { maker.remove() }

    /// Cuts `seconds` of video and sound into objects as ffmpeg's DASH muxer names them.
    func dash(seconds: Int = 6, video: [String] = PushRig.video, segment: String = "2") throws {
        let file = try maker.make("in.mp4", seconds: seconds, video: video, audio: ["-c:a", "aac"])
        try maker.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-i", file, "-c", "copy", "-f", "dash", "-seg_duration", segment,
                "-use_template", "1", "-use_timeline", "0", maker.path("index.mpd"),
            ])
    }

    /// One movie in fragments, as a long POST has it.
    func movie(seconds: Int = 4, video: [String] = PushRig.video, audio: [String] = ["-c:a", "aac"]) throws -> [UInt8] {
        let file = try maker.make("in.mp4", seconds: seconds, video: video, audio: audio)
        try maker.run(
            "ffmpeg",
            [
                "-v", "error", "-y", "-i", file, "-c", "copy", "-movflags",
                "empty_moov+default_base_moof+frag_keyframe", "-f", "mp4", maker.path("all.mp4"),
            ])
        return try object("all.mp4")
    }

    func object(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: maker.path(name))))
    }

    /// The objects in the order in which ffmpeg pushes them: headers, then segments of both tracks in turn.
    func objects() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: maker.folder.path)
        func number(_ name: String) -> String { String(name.dropLast(4).suffix(5)) }
        return names.filter { $0.hasPrefix("init") }.sorted()
            + names.filter { $0.hasPrefix("chunk") }.sorted { (number($0), $0) < (number($1), $1) }
    }

    /// Pushes one object whole.
    func push(_ bytes: [UInt8], at path: String, type: String? = nil, of pusher: PublishingPoint.Pusher = pusher)
        async throws
    {
        let request = try PushRequest(to: point, path: path, contentType: type, of: pusher)
        // In parts of an odd size: boxes are torn everywhere.
        var rest = bytes[...]
        while !rest.isEmpty {
            try await request.take(Array(rest.prefix(1_021)))
            rest = rest.dropFirst(1_021)
        }
        try await request.end()
    }

    func push(_ name: String, in folder: String = "") async throws {
        try await push(try object(name), at: folder + name)
    }

    /// An input that reads what is pushed.
    func start(_ limits: InputLimits = InputLimits()) -> (Input, CollectingSink) {
        let sink = CollectingSink()
        let input = Input(name: "front", source: .push(point), limits: limits, pool: SlabPool(), sink: sink)
        input.start()
        return (input, sink)
    }

    /// The packets of a file of the folder by ffprobe: times and sums of one kind.
    func packets(_ file: String, _ kind: String) throws -> [String] {
        let out = try maker.run(
            "ffmpeg",
            [
                "-v", "error", "-i", maker.path(file), "-map", "0:\(kind)", "-c", "copy", "-f", "framehash",
                "-hash", "sha256", "-",
            ]
        ).output
        return String(decoding: out, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").dropFirst(5).first.map { $0.trimmingCharacters(in: .whitespaces) } }
    }
}

extension [Frame] {
    /// The sums of the frames of one kind, in the order in which they came.
    func sums(_ kind: TrackKind) -> [String] {
        filter { $0.kind == kind }.map { frame in frame.withBytes { PushSum.of([UInt8]($0)) } }
    }
}
