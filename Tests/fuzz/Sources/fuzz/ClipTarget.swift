import Glibc
import Machines

@testable import Media

/// What the writer of track files writes, the scanner reads back: the same fragments, whole or cut off anywhere.
enum ClipTarget {
    private static let configurations: [CodecConfiguration] = [
        try? CodecConfiguration(
            .h264,
            parameterSets: [
                0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x00, 0xA0, 0x47, 0xFE, 0x88, 0, 0, 0, 1, 0x68, 0xCE, 0x38,
                0x80,
            ]),
        try? CodecConfiguration(audioSpecificConfig: [0x11, 0x90]),
        (try? OpusConfiguration(channels: 2)).map(CodecConfiguration.opus),
    ].compactMap { $0 }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let options = feed.byte()
        hold(configurations.count == 3, "the configurations of this target are right")
        let configuration = configurations[Int(options) % configurations.count]
        let header = TrackHeader(
            configuration, timescale: options & 0x10 == 0 ? 0 : feed.number(),
            primingTicks: options & 0x20 == 0 ? 0 : feed.number())
        ScratchFile.remove("clip")
        let path = ScratchFile.path("clip")
        do {
            let writer = try TrackWriter.create(path: path, header: header)
            while !feed.isAtEnd { append(&feed, to: writer) }
            let cut = UInt64(options >> 6 == 3 ? feed.number(UInt16.self) : 0)
            let summary = try writer.finish()
            hold(summary.index.headerBytes == UInt64(header.encoded().count), "the header's length is known")
            try scan(path, summary, header)
            try tear(path, summary, seed: UInt64(bytes.count) &* 31 &+ cut)
        } catch {
            hold(false, "what was written cannot be read: \(error)")
        }
    }

    /// A fragment the writer refuses leaves the file as it was.
    private static func append(_ feed: inout Feed, to writer: TrackWriter) {
        let control = feed.byte()
        var time = writer.summary.index.entries.last?.endTime ?? 0
        if control & 1 != 0 { time &+= UInt64(feed.number(UInt32.self)) }
        if control & 2 != 0 { time = feed.number() }
        var samples: [SampleMetadata] = []
        for index in 0..<Int(control >> 4) {
            let shape = feed.byte()
            samples.append(
                SampleMetadata(
                    size: 1 + UInt32(shape >> 3), durationTicks: shape & 1 == 0 ? 3_600 : feed.number(),
                    compositionOffsetTicks: shape & 2 == 0 ? 0 : feed.number(), isSync: index == 0 || shape & 4 != 0))
        }
        let fragment = Fragment(
            decodeTime: time, samples: samples, wallClock: control & 4 == 0 ? nil : WallClock(ntp: feed.number()))
        let data = [UInt8](repeating: control, count: Int(fragment.dataBytes))
        let before = writer.bytesWritten
        data.withUnsafeBytes { bytes in
            do throws(TrackFileError) {
                try writer.append(fragment, data: [bytes])
            } catch {
                hold(writer.bytesWritten == before, "a refused fragment takes no room")
            }
        }
    }

    private static func scan(_ path: String, _ summary: TrackSummary, _ header: TrackHeader) throws(TrackFileError) {
        let found = try TrackScanner.scan(path: path)
        hold(
            found.index == summary.index,
            "the scanner finds the index of the writer: \(found.index) for \(summary.index)")
        hold(found.tornBytes == 0 && found.bytes == summary.bytes, "nothing is torn: \(found.damage ?? "")")
        hold(found.configuration == header.configuration, "the configuration is read back")
        hold(try !TrackScanner.isTornHeader(path: path), "a whole file has a whole header")
        let errors = try CMAFCheck.check(path: path).filter { $0.severity == .error }
        hold(errors.isEmpty, "what was written is CMAF: \(errors.first.map { "\($0)" } ?? "")")
    }

    /// A file that is cut off anywhere keeps every fragment before that, and no other.
    private static func tear(_ path: String, _ summary: TrackSummary, seed: UInt64) throws(TrackFileError) {
        let length = summary.index.headerBytes + seed % (summary.bytes - summary.index.headerBytes + 1)
        truncate(path, Int(length))
        let found = try TrackScanner.scan(path: path, repair: true)
        let kept = summary.index.entries.filter { $0.endOffset <= length }
        hold(found.index.entries == kept, "the fragments before the cut are found")
        let again = try TrackScanner.scan(path: path)
        hold(again.tornBytes == 0 && again.index.entries == kept, "what was repaired is whole")
    }
}
