import Foundation
import Testing

@testable import Media

@Suite("Snapshots", .serialized)
struct SnapshotTests {
    /// What ffmpeg finds in a JPEG: size and mean colour.
    private func look(_ jpeg: [UInt8], _ maker: MediaMaker) throws -> (width: Int, height: Int, mean: [Double]) {
        let path = maker.path("look.jpg")
        try Data(jpeg).write(to: URL(fileURLWithPath: path))
        let stream = try #require(
            try JSONSerialization.jsonObject(
                with: maker.run(
                    "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "json", path]
                ).output)
                as? [String: [[String: Any]]])["streams"]?.first
        let raw = try maker.run(
            "ffmpeg", ["-v", "error", "-i", path, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
        #expect(raw.complaint.isEmpty)
        let bytes = [UInt8](raw.output)
        let mean = (0..<3).map { channel in
            Double(stride(from: channel, to: bytes.count, by: 3).reduce(0) { $0 + Int(bytes[$1]) })
                / Double(bytes.count / 3)
        }
        return (try #require(stream?["width"] as? Int), try #require(stream?["height"] as? Int), mean)
    }

    private static let codecs: [(codec: String, arguments: [String])] = [
        ("h264", ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-bf", "2"]),
        ("h264", ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuvj420p"]),
        (
            "h265",
            [
                "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le", "-tag:v", "hvc1", "-x265-params",
                "log-level=none:bframes=0",
            ]
        ),
    ]

    /// Red, then green, then blue, two seconds each, a key frame each second.
    private func colours(_ index: Int) throws -> TestStream {
        let form = SnapshotTests.codecs[index]
        let graph =
            "color=red:s=480x270:r=10:d=2[a];color=lime:s=480x270:r=10:d=2[b];color=blue:s=480x270:r=10:d=2[c];"
            + "[a][b][c]concat=n=3"
        let keys = form.codec == "h265" ? [] : ["-x264-params", "keyint=10:min-keyint=10:scenecut=0"]
        return try TestStream(
            ["-f", "lavfi", "-i", graph] + form.arguments + keys + [
                "-g", "10", "-force_key_frames", "expr:gte(t,n_forced)",
            ]
                + ["-video_track_timescale", "90000"], codec: form.codec, timescale: 90_000)
    }

    @Test(
        "show the key frame nearest to a time in the right colours, as an independent decoder sees it", arguments: 0..<3
    )
    func nearest(index: Int) throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let stream = try colours(index)
        try stream.write(maker.path("clip.cmfv"))
        for (seconds, strongest) in [(0.2, 0), (3.1, 1), (4.9, 2), (100, 2), (-5, 0)] {
            let snapshot = try Snapshot(trackFile: maker.path("clip.cmfv"), at: Int64(seconds * 90_000))
            let seen = try look(snapshot.jpeg, maker)
            #expect(seen.width == 480 && seen.height == 270)
            #expect(seen.mean[strongest] > 235, "\(seconds) s: \(seen.mean)")
            #expect((0..<3).allSatisfy { $0 == strongest || seen.mean[$0] < 20 }, "\(seconds) s: \(seen.mean)")
            #expect(abs(Double(snapshot.pts) / 90_000 - min(5, max(0, seconds.rounded()))) < 0.35)
        }
    }

    @Test("keep inside of the bounds and the shape of the picture")
    func bounds() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        try colours(0).write(maker.path("clip.cmfv"))
        let small = try look(Snapshot(trackFile: maker.path("clip.cmfv"), at: 0, options: .thumbnail).jpeg, maker)
        #expect(small.width == 320 && small.height == 180)
        let least = SnapshotOptions(widthMax: 0, heightMax: 0)
        let tiny = try Snapshot(trackFile: maker.path("clip.cmfv"), at: 0, options: least)
        #expect(tiny.jpeg.count < 2_000)
        #expect(try look(tiny.jpeg, maker).width == 16)
        #expect(PictureScaler.size(width: 960, height: 1080, aspect: 2, widthMax: 1920, heightMax: 1080) == (960, 540))
        #expect(
            PictureScaler.size(width: 704, height: 576, aspect: 12.0 / 11, widthMax: 352, heightMax: 288) == (352, 264))
        #expect(PictureScaler.size(width: 640, height: 360, aspect: 0.5, widthMax: 1920, heightMax: 1080) == (320, 360))
    }

    @Test("refuse by name what holds no picture")
    func refused() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        #expect(throws: SnapshotError.self) { try Snapshot(trackFile: maker.path("missing.cmfv"), at: 0) }
        #expect(throws: SnapshotError.noKeyFrame) { try Snapshot(frames: [], at: 0) }
        let stream = try colours(0)
        let broken = stream.fragments().prefix(1).map { slice in
            slice.map { sample in
                TestStream.Sample(
                    data: sample.data.map { _ in 0xAA }, decode: sample.decode, offset: sample.offset,
                    duration: sample.duration, isSync: sample.isSync)
            }[...]
        }
        try stream.write(maker.path("broken.cmfv"), fragments: Array(broken))
        #expect(throws: SnapshotError.undecodable) { try Snapshot(trackFile: maker.path("broken.cmfv"), at: 0) }
    }
}
