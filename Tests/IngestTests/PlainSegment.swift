@testable import Ingest
@testable import Media

extension MediaSegment {
    /// Bytes of the key frame of one that `plain` makes.
    static let plainKeyBytes = 100

    /// A segment without real media, for what only counts: a key frame of 100 bytes and one more frame, in ticks of a millisecond.
    static func plain(track: Int = 0, at ms: Int64, lengthMs: Int64 = 1_000, bytes: Int = 500) -> MediaSegment {
        let samples = [
            SampleMetadata(size: UInt32(plainKeyBytes), durationTicks: UInt32(lengthMs / 2), isSync: true),
            SampleMetadata(
                size: UInt32(bytes - plainKeyBytes), durationTicks: UInt32(lengthMs - lengthMs / 2), isSync: false),
        ]
        var segment = MediaSegment(
            track: track, timescale: 1_000, filler: nil,
            chunks: [
                Chunk(
                    fragment: Fragment(decodeTime: UInt64(ms), samples: samples),
                    data: [UInt8](repeating: UInt8(track), count: bytes), arrival: WallClock(unixMs: ms))
            ])
        segment.still = Still(segment)
        return segment
    }
}

extension IngestSession {
    /// A session of two tracks that are described as sound.
    static func plain(_ number: Int64, _ interface: Interface = .interface1) throws -> IngestSession {
        let header = TrackHeader(try CodecConfiguration(audioSpecificConfig: [0x11, 0x90]), timescale: 1_000)
        return IngestSession(
            number: number, interface: interface, segmentMs: 1_000, beganWallMs: 1_700_000_000_000,
            tracks: ["cam", "mic"].map { Track(name: $0, header: header) })
    }
}
