import Foundation
import Machines
import Testing

@testable import Media

@Suite("Encoding a clip for players")
struct ClipEncoderTests {
    private static let sizes = [
        Rendition(name: "180p", heightMax: 180, kilobits: 2_000), Rendition(name: "90p", heightMax: 90, kilobits: 300),
    ]

    private func encode(_ paths: [String], _ folder: Scratch, _ sizes: [Rendition] = sizes) throws -> [EncodedTrack] {
        var told: [Int] = []
        let tracks = try ClipEncoder(ClipFiles(scanning: paths), sizes, into: folder.path("")).run {
            false
        } progress: {
            told.append($0)
        }
        #expect(told.last == 1_000 && told == told.sorted())
        return tracks
    }

    private func keys(_ path: String) throws -> [String] {
        try Tool.probe(path, "packet=pts_time,flags", stream: "0").filter { $0["flags"]?.hasPrefix("K") == true }
            .compactMap { $0["pts_time"] }
    }

    /// How alike two files look, in dB.
    private func likeness(_ one: String, _ other: String) throws -> Double {
        let arguments = ["-i", one, "-i", other, "-lavfi", "[0:v][1:v]psnr", "-f", "null", "-"]
        let words = try Tool.run("ffmpeg", arguments).err
        return try #require(words.firstMatch(of: /average:([0-9.]+)/).flatMap { Double($0.1) }, "\(words)")
    }

    @Test(
        "Each size is H.264 with the same key frames, whatever the camera sends", arguments: ["h264", "h264B", "h265"])
    func pictures(_ name: String) throws {
        let folder = try Scratch()
        let source = try TrackWriterTests.stream(name)
        try source.write(folder.path("clip.cmfv"))
        let tracks = try encode([folder.path("clip.cmfv")], folder)
        #expect(tracks.map(\.name) == ["180p", "90p"])
        for (track, size) in zip(tracks, [(320, 180), (160, 90)]) {
            let stream = try #require(
                try Tool.probe(track.path, "stream=codec_name,width,height,pix_fmt,color_range").first)
            #expect(stream["codec_name"] == "h264" && stream["pix_fmt"] == "yuv420p")
            #expect(stream["width"] == "\(size.0)" && stream["height"] == "\(size.1)")
            #expect(try Tool.complaints(track.path) == "")
            #expect(try Tool.probe(track.path, "packet=pts", stream: "0").count == source.samples.count)
            #expect(track.summary.durationMs == 4_000 && track.configuration.codec.hasPrefix("avc1.64"))
            let scanned = try ClipFiles(scanning: [track.path]).tracks
            #expect(scanned.map(\.index) == [track.summary.index])
        }
        #expect(try keys(tracks[0].path) == keys(tracks[1].path))
        #expect(try likeness(tracks[0].path, source.path) > 32)
    }

    @Test("A long clip has a key frame every 4 s, and a fragment each")
    func groups() throws {
        let folder = try Scratch()
        let source = try TestStream(
            [
                "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=10:duration=13", "-c:v", "libx264", "-g", "1000",
                "-pix_fmt", "yuv420p", "-video_track_timescale", "90000",
            ], codec: "h264", timescale: 90_000)
        try source.write(folder.path("clip.cmfv"))
        let track = try #require(try encode([folder.path("clip.cmfv")], folder).first)
        #expect(track.summary.index.entries.map { $0.decodeTime / 90_000 } == [0, 4, 8, 12])
        #expect(try keys(track.path).compactMap(Double.init) == [0, 4, 8, 12])
    }

    @Test("Opus becomes AAC that sounds at the same time, AAC is left alone")
    func sound() throws {
        let folder = try Scratch()
        try TrackWriterTests.stream("h264").write(folder.path("clip.cmfv"))
        try TrackWriterTests.stream("aac").write(folder.path("aac.cmfa"))
        try TrackWriterTests.stream("opus").write(folder.path("opus.cmfa"), primingTicks: 312)
        #expect(
            try encode([folder.path("clip.cmfv"), folder.path("aac.cmfa")], folder).map(\.name) == ["180p", "90p"])
        let tracks = try encode([folder.path("clip.cmfv"), folder.path("opus.cmfa")], folder)
        let audio = try #require(tracks.last)
        #expect(tracks.map(\.name) == ["180p", "90p", "audio"])
        #expect(audio.configuration.codec == "mp4a.40.2" && (3_950...4_100).contains(audio.summary.durationMs))
        #expect(try Tool.complaints(audio.path) == "")
        let begin = try Tool.probe(audio.path, "packet=pts_time", stream: "0").first?["pts_time"].flatMap(Double.init)
        #expect(abs(try #require(begin)) < 0.03)
    }

    @Test("What cannot be decoded is an error that says so, and an end ends it")
    func broken() throws {
        let folder = try Scratch()
        try TrackWriterTests.stream("h264").write(folder.path("clip.cmfv"))
        let files = try ClipFiles(scanning: [folder.path("clip.cmfv")])
        var frames = 0
        #expect(throws: CancellationError.self) {
            try ClipEncoder(files, Self.sizes, into: folder.path("")).run {
                frames += 1
                return frames > 20
            } progress: { _ in
            }
        }
        #expect(frames == 21)
        // Everything in the fragments but their headers is noise.
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("clip.cmfv"))))
        let reader = try #require(try ClipReader(files).video)
        for fragment in 0..<reader.fragments {
            for sample in try reader.samples(of: fragment).samples {
                for place in sample.bytes { bytes[Int(place)] = UInt8(truncatingIfNeeded: place &* 167 &+ 13) }
            }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("noise.cmfv")))
        let noise = try ClipFiles(scanning: [folder.path("noise.cmfv")])
        let error = #expect(throws: ClipEncodingError.self) {
            try ClipEncoder(noise, Self.sizes, into: folder.path("")).run {
                false
            } progress: { _ in
            }
        }
        #expect(error?.description.contains("frames cannot be decoded") == true, "\(String(describing: error))")
    }

    @Test("A size above the picture has its height, and only the lowest of these is made")
    func fitting() {
        let ladder = [1_080, 720, 360].map { Rendition(name: "\($0)p", heightMax: $0, kilobits: 1_000) }
        for (height, names) in [
            (2_160, ["1080p", "720p", "360p"]), (1_080, ["1080p", "720p", "360p"]), (900, ["1080p", "720p", "360p"]),
            (720, ["720p", "360p"]), (400, ["720p", "360p"]), (360, ["360p"]), (90, ["360p"]),
        ] {
            #expect(Rendition.fitting(ladder.reversed(), height: height).map(\.name) == names, "\(height)")
        }
        #expect(Rendition.fitting([], height: 100).isEmpty)
    }
}
