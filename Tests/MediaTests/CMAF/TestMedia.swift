import Foundation
import Machines
import Testing

@testable import Media

/// A stream that ffmpeg made, taken apart: its codec configuration and its packets with their times.
struct TestStream: Sendable {
    struct Sample: Sendable {
        let data: [UInt8]
        let decode: Int64
        let offset: Int64
        let duration: Int64
        let isSync: Bool
    }

    let path: String
    let configuration: CodecConfiguration
    let extradata: [UInt8]
    let samples: [Sample]
    let timescale: UInt32
    private let scratch: Scratch

    /// Encodes with ffmpeg into an MP4 file and reads the packets where ffprobe says they lie.
    init(_ arguments: [String], codec: String, timescale: Int) throws {
        let scratch = try Scratch()
        let path = scratch.path("source.mp4")
        try Tool.run("ffmpeg", ["-v", "error", "-y"] + arguments + ["-bitexact", path])
        try self.init(path: path, codec: codec, timescale: timescale, scratch: scratch)
    }

    /// One stream (0-based) of an MP4 file.
    init(path: String, codec: String, timescale: Int, stream: String = "0", scratch: Scratch) throws {
        self.scratch = scratch
        self.path = path
        self.timescale = UInt32(timescale)
        extradata = try Self.extradata(path, stream)
        configuration = try Self.configuration(codec, extradata)
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        let packets = try Tool.probe(path, "packet=pts,dts,duration,size,pos,flags", stream: stream)
        let number = { (packet: [String: String], key: String) in try #require(Int64(packet[key] ?? "")) }
        let first = try #require(packets.first)
        let zero = try number(first, "dts")
        let shift = try number(first, "pts") - zero
        samples = try packets.enumerated().map { index, packet in
            let decode = try number(packet, "dts")
            let next = index + 1 < packets.count ? try number(packets[index + 1], "dts") - decode : nil
            let position = Int(try number(packet, "pos"))
            let size = Int(try number(packet, "size"))
            return Sample(
                data: Array(file[position..<position + size]), decode: decode - zero,
                offset: try number(packet, "pts") - decode - shift,
                duration: try next ?? number(packet, "duration"), isSync: packet["flags"]?.hasPrefix("K") == true)
        }
    }

    private static func configuration(_ codec: String, _ extradata: [UInt8]) throws -> CodecConfiguration {
        switch codec {
        case "h264": try CodecConfiguration(.h264, parameterSets: extradata)
        case "h265": try CodecConfiguration(.h265, parameterSets: extradata)
        case "aac": try CodecConfiguration(audioSpecificConfig: extradata)
        default: try CodecConfiguration(opusHead: extradata)
        }
    }

    private static func extradata(_ path: String, _ stream: String) throws -> [UInt8] {
        let arguments = ["-v", "error", "-select_streams", stream, "-show_streams", "-show_data", path]
        let out = try Tool.run("ffprobe", arguments).out
        var bytes: [UInt8] = []
        for line in out.split(separator: "\n") where line.count > 10 && line.dropFirst(8).hasPrefix(": ") {
            let digits = line.dropFirst(10).prefix(40).filter { $0.isHexDigit }
            var rest = Substring(digits)
            while rest.count >= 2 {
                bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
        }
        return bytes
    }

    /// The samples cut into fragments: at each sync sample for video, every `audioFrames` for audio.
    func fragments(audioFrames: Int = 40) -> [ArraySlice<Sample>] {
        var starts: [Int] = []
        for (index, sample) in samples.enumerated() {
            if configuration.kind == .video ? sample.isSync : index % audioFrames == 0 { starts.append(index) }
        }
        return zip(starts, starts.dropFirst() + [samples.count]).map { samples[$0..<$1] }
    }

    /// Writes fragments into a new track file, their decode times moved by `shift` ticks.
    @discardableResult
    func write(
        _ path: String, fragments: [ArraySlice<Sample>]? = nil, shift: Int64 = 0, primingTicks: UInt32 = 0,
        wallClock: WallClock? = nil, rotation: PictureRotation = .none
    ) throws -> TrackSummary {
        let header = TrackHeader(
            configuration, timescale: timescale, primingTicks: primingTicks, rotation: rotation)
        let writer = try TrackWriter.create(path: path, header: header)
        for fragment in fragments ?? self.fragments() {
            try append(fragment, to: writer, shift: shift, wallClock: wallClock)
        }
        return try writer.finish()
    }

    /// Appends one fragment, its data gathered from one buffer per sample.
    func append(
        _ slice: ArraySlice<Sample>, to writer: TrackWriter, shift: Int64 = 0, wallClock: WallClock? = nil
    ) throws {
        let fragment = Fragment(
            decodeTime: UInt64(try #require(slice.first).decode + shift),
            samples: slice.map {
                SampleMetadata(
                    size: UInt32($0.data.count), durationTicks: UInt32($0.duration),
                    compositionOffsetTicks: Int32($0.offset), isSync: $0.isSync)
            }, wallClock: wallClock)
        let buffers = slice.map { sample in
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: sample.data.count, alignment: 1)
            buffer.copyBytes(from: sample.data)
            return buffer
        }
        defer { buffers.forEach { $0.deallocate() } }
        try writer.append(fragment, data: buffers.map { UnsafeRawBufferPointer($0) })
    }
}

/// The streams that the tests share, each encoded once.
enum TestMedia {
    private static let picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4"]
    private static let sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4"]
    private static let x264 = [
        "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-sc_threshold", "0", "-pix_fmt", "yuv420p",
        "-video_track_timescale", "90000",
    ]

    static let h264 = Result { try TestStream(picture + x264, codec: "h264", timescale: 90_000) }
    static let h264B = Result {
        try TestStream(
            picture + x264 + ["-preset", "medium", "-bf", "3", "-profile:v", "high"], codec: "h264", timescale: 90_000)
    }
    /// Another size, so other parameter sets.
    static let h264Small = Result {
        try TestStream(
            ["-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=2"] + x264, codec: "h264", timescale: 90_000)
    }
    static let h265 = Result {
        try TestStream(
            picture + [
                "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-pix_fmt", "yuv420p", "-x265-params",
                "keyint=25:min-keyint=25:scenecut=0:bframes=2:open-gop=0:log-level=error", "-video_track_timescale",
                "90000",
            ], codec: "h265", timescale: 90_000)
    }
    static let aac = Result {
        try TestStream(sound + ["-c:a", "aac", "-ac", "1"], codec: "aac", timescale: 48_000)
    }
    static let opus = Result {
        try TestStream(sound + ["-c:a", "libopus", "-ac", "2"], codec: "opus", timescale: 48_000)
    }
}
