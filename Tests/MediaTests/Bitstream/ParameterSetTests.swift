import Foundation
import Hashing
import RandomSource
import Testing

@testable import Media

@Suite struct ParameterSetTests {
    /// Encoder settings that change what the parameter sets say: cropping, chroma, depth, interlace, B frames, shape.
    static let variants: [(codec: String, arguments: [String])] = [
        ("h264", ["-s", "318x178", "-profile:v", "high", "-bf", "2"]),
        ("h264", ["-s", "320x180", "-profile:v", "baseline"]),
        ("h264", ["-s", "1280x720", "-profile:v", "main", "-bf", "3", "-b_strategy", "0"]),
        ("h264", ["-s", "1920x1080", "-pix_fmt", "yuv422p10le", "-r", "50"]),
        ("h264", ["-s", "352x288", "-flags", "+ildct+ilme", "-aspect", "16:9"]),
        ("h264", ["-s", "320x240", "-pix_fmt", "yuv444p", "-r", "30000/1001"]),
        ("h265", ["-s", "318x178", "-x265-params", "log-level=error"]),
        ("h265", ["-s", "1280x720", "-pix_fmt", "yuv420p10le", "-x265-params", "log-level=error:bframes=4"]),
        (
            "h265",
            ["-s", "640x360", "-pix_fmt", "yuv422p", "-x265-params", "log-level=error:bframes=0:vui-timing-info=1"]
        ),
        ("h265", ["-s", "320x240", "-aspect", "16:9", "-x265-params", "log-level=error:scaling-list=default"]),
    ]

    private func encode(_ codec: String, _ arguments: [String], to path: String) throws {
        let encoder = codec == "h264" ? "libx264" : "libx265"
        try Tool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=0.4", "-pix_fmt", "yuv420p"]
                + ["-c:v", encoder, "-preset", "ultrafast", "-tag:v", codec == "h264" ? "avc1" : "hvc1"] + arguments
                + [path])
    }

    @Test("Parameter sets say what ffprobe says", arguments: variants)
    func agreesWithFFprobe(codec: String, arguments: [String]) throws {
        let folder = try Scratch()
        let path = folder.path("a.mp4")
        try encode(codec, arguments, to: path)
        let stream = try TestStream(path: path, codec: codec, timescale: 90_000, scratch: folder)
        let fields = try #require(
            try Tool.probe(
                path,
                "stream=width,height,level,has_b_frames,pix_fmt,r_frame_rate,sample_aspect_ratio", stream: "v"
            ).first { $0["width"] != nil })
        let configuration = stream.configuration
        #expect(fields["width"] == configuration.width.map(String.init))
        #expect(fields["height"] == configuration.height.map(String.init))
        #expect(fields["has_b_frames"] == String(configuration.maxReorderFrames))
        let format = try #require(fields["pix_fmt"])
        let aspect: SampleAspectRatio?
        switch configuration {
        case .h264(let video):
            #expect(fields["level"] == String(video.sps.level))
            #expect(format.contains("420") ? video.sps.chromaFormat == 1 : video.sps.chromaFormat > 1)
            #expect(video.sps.bitDepthLuma == (format.contains("10") ? 10 : 8))
            // libavformat writes the same bytes, so its avcC is an independent check of the whole record.
            #expect(video.record == stream.extradata)
            #expect(configuration.codec == "avc1." + Hex.text(stream.extradata[1...3]))
            #expect(video.sps.isInterlaced == arguments.contains("+ildct+ilme"))
            aspect = video.sps.aspectRatio
        case .h265(let video):
            #expect(fields["level"] == String(video.sps.profileTierLevel.level))
            #expect(format.contains("420") ? video.sps.chromaFormat == 1 : video.sps.chromaFormat > 1)
            #expect(video.sps.bitDepthLuma == (format.contains("10") ? 10 : 8))
            // Profile, tier, level and constraints; chroma and depths; layers and length size.
            #expect(video.record[0..<13] == stream.extradata[0..<13])
            #expect(video.record[16..<19] == stream.extradata[16..<19])
            #expect(video.record[21] == stream.extradata[21])
            aspect = video.sps.aspectRatio
        default:
            Issue.record("not video")
            return
        }
        let shape = aspect.map { "\($0.width):\($0.height)" }
        if arguments.contains("-aspect") {
            #expect(fields["sample_aspect_ratio"] == shape)
        } else if fields["sample_aspect_ratio"] == "1:1" {
            #expect(shape == nil)
        }
        let rate = try #require(configuration.frameRate)
        let parts = (fields["r_frame_rate"] ?? "").split(separator: "/").compactMap { Double($0) }
        #expect(parts.count == 2 && abs(rate.perSecond - parts[0] / parts[1]) < 0.001)
    }

    @Test(
        "Annex B, length-prefixed and avcC or hvcC forms of one stream give equal configurations",
        arguments: [
            "h264B", "h265",
        ])
    func forms(name: String) throws {
        let stream = try TrackWriterTests.stream(name)
        let codec: VideoCodec = name == "h265" ? .h265 : .h264
        let folder = try Scratch()
        let raw = folder.path("raw")
        let format = codec == .h264 ? "h264" : "hevc"
        try Tool.run("ffmpeg", ["-v", "error", "-i", stream.path, "-c", "copy", "-f", format, raw])
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: raw)))
        let annexB = try CodecConfiguration(codec, parameterSets: bytes)
        #expect(annexB == stream.configuration)
        var prefixed: [UInt8] = []
        bytes.withUnsafeBytes { _ = AnnexB.appendLengthPrefixed($0, to: &prefixed) }
        let framing = NALFraming.lengthPrefixed(bytes: 4)
        #expect(try CodecConfiguration(codec, parameterSets: prefixed, framing: framing) == annexB)
        #expect(try CodecConfiguration(sampleEntry: annexB.sampleEntry(bitrate: Bitrate(max: 5, average: 4))) == annexB)
        let same = try bytes.withUnsafeBytes { try annexB.updated(by: $0, framing: .annexB) }
        #expect(same == annexB)
        let other = try CodecConfiguration(codec, parameterSets: otherSets(codec))
        #expect(other != annexB)
        let updated = try bytes.withUnsafeBytes { try other.updated(by: $0, framing: .annexB) }
        #expect(updated == annexB)
    }

    private func otherSets(_ codec: VideoCodec) throws -> [UInt8] {
        let folder = try Scratch()
        let arguments = codec == .h264 ? ["-s", "160x96"] : ["-s", "160x96", "-x265-params", "log-level=error"]
        try encode(codec.rawValue, arguments, to: folder.path("a.mp4"))
        let stream = try TestStream(
            path: folder.path("a.mp4"), codec: codec.rawValue, timescale: 90_000, scratch: folder)
        return stream.extradata
    }

    @Test("What lacks a parameter set is refused by name")
    func missing() {
        #expect(throws: BitstreamError("H.264 stream", .missing("SPS"))) {
            try CodecConfiguration(.h264, parameterSets: [0, 0, 1, 0x68, 0xce, 0x3c, 0x80])
        }
        #expect(throws: BitstreamError("H.265 stream", .missing("VPS"))) {
            try CodecConfiguration(.h265, parameterSets: [])
        }
        #expect(throws: BitstreamError.self) { try CodecConfiguration(.h264, parameterSets: [1, 2, 3]) }
    }

    @Test("No mutation of parameter sets or sample entries traps; what parses can be written and read back")
    func mutations() throws {
        let streams = try ["h264B", "h265", "aac", "opus"].map { try TrackWriterTests.stream($0) }
        var generator = SeededGenerator(seed: 77)
        var parsed = 0
        for _ in 0..<4000 {
            for stream in streams {
                let entry = stream.configuration.sampleEntry().mutated(by: &generator)
                _ = try? CodecConfiguration(sampleEntry: entry)
                let extradata = stream.extradata.mutated(by: &generator)
                let configuration: CodecConfiguration? =
                    switch stream.configuration {
                    case .h264: try? CodecConfiguration(.h264, parameterSets: extradata)
                    case .h265: try? CodecConfiguration(.h265, parameterSets: extradata)
                    case .aac: try? CodecConfiguration(audioSpecificConfig: extradata)
                    case .opus: try? CodecConfiguration(opusHead: extradata)
                    }
                guard let configuration else { continue }
                parsed += 1
                #expect(!configuration.codec.isEmpty)
                _ = TrackHeader(configuration).encoded()
                #expect(try CodecConfiguration(sampleEntry: configuration.sampleEntry()) == configuration)
            }
        }
        #expect(parsed > 1000)
    }
}
