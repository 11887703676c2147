import Foundation
import Machines
import Testing

@testable import Media

@Suite("Segments and parts of low-latency HLS")
struct LiveSegmentsTests {
    private static let video = ["-c:v", "libx264", "-g", "25", "-bf", "0", "-pix_fmt", "yuv420p"]

    private func frames(_ maker: MediaMaker) throws -> [Frame] {
        let file = try maker.make("in.mkv", video: Self.video, audio: ["-c:a", "aac"])
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        return Array(sink.seen.frames.drop { !$0.isVideoStart })
    }

    private func dial(_ frames: [Frame]) -> StreamDial {
        var tracks: [Int: StreamDescription] = [:]
        for frame in frames where tracks[frame.track] == nil {
            tracks[frame.track] = StreamDescription(
                ordinal: frame.track, kind: frame.kind, sourceCodec: "", parameters: frame.configuration.parameters,
                ignored: nil)
        }
        return StreamDial(number: 1, streams: tracks.values.sorted { $0.ordinal < $1.ordinal })
    }

    /// The boxes of a file.
    private static func boxes(_ bytes: [UInt8]) -> [(type: String, bytes: [UInt8])] {
        var (boxes, rest) = ([(type: String, bytes: [UInt8])](), bytes[...])
        while rest.count >= 8 {
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            boxes.append((String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), Array(rest.prefix(size))))
            rest = rest.dropFirst(max(8, size))
        }
        return boxes
    }

    @Test("a movie has one header of all tracks and the fragments of one run; it is over with it")
    func movie() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try frames(maker)
        var fragments = LiveFragments(.frame, sound: .stored)
        var movie = LiveMovie { $0.ms + 1_700_000_000_000 }
        #expect(movie.take(.lost) == [] && movie.take(.skipped(3)) == [])
        var bytes: [UInt8] = []
        func append(_ item: LiveFragments.Item) {
            let made = movie.take(item)
            #expect(made != nil)
            bytes += made ?? []
        }
        for item in fragments.take(.began(dial(frames))) { append(item) }
        for frame in frames { for item in fragments.take(.frame(frame)) { append(item) } }
        let path = maker.path("live.mp4")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let entries = "stream=codec_type,id,nb_read_packets"
        let arguments = ["-v", "error", "-count_packets", "-show_entries", entries, "-of", "csv=p=0", path]
        let told = try Tool.run("ffprobe", arguments).out
        // The last frame of a track waits for the next one.
        let video = frames.count { $0.kind == .video } - 1
        #expect(told.contains("video,0x1,\(video)") && told.contains("audio,0x2,"), "\(told)")
        // Each fragment is preceded by the time at which its first frame came, and numbers tell what was left out.
        let boxes = Self.boxes(bytes)
        #expect(
            boxes.map(\.type).contains("prft") && boxes.count { $0.type == "prft" } == boxes.count { $0.type == "moof" }
        )
        let first = try #require(frames.first { $0.kind == .video })
        let clock = try #require(boxes.first { $0.type == "prft" }).bytes
        #expect(clock[8...11] == [1, 0, 0, 1] && clock[12...15] == [0, 0, 0, 1])
        let ntp = clock[16...23].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(WallClock(ntp: ntp).unixMs == first.arrival.ms + 1_700_000_000_000)
        // The moof's number: behind its head, and that of mfhd with version and flags.
        let numbers = boxes.filter { $0.type == "moof" }.map { $0.bytes[20...23].reduce(0) { $0 << 8 | Int($1) } }
        #expect(numbers == Array(2...(numbers.count + 1)))
        var (again, other) = (movie, movie)
        #expect(again.take(.lost) == nil && other.take(.began([])) == nil && movie.take(.ended(.privacy)) == nil)
    }

    @Test(
        "parts of a segment are the segment, in order; no part is longer than it says, and bounds hold however long it runs"
    )
    func whole() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try frames(maker)
        var (fragments, segments) = (LiveFragments(.frame, sound: .stored), LiveSegments())
        // The file again and again, as dials of a camera that comes and goes.
        for _ in 0..<30 {
            for item in fragments.take(.began(dial(frames))) { segments.take(item) }
            for frame in frames { for item in fragments.take(.frame(frame)) { segments.take(item) } }
            for item in fragments.take(.lost) { segments.take(item) }
            let held = segments.segments
            #expect(held.allSatisfy(\.isWhole) && zip(held, held.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
            #expect(Set(held.map(\.run)) == Set(segments.runs.keys))
            for segment in held {
                #expect(segment.durationUs(0) <= LiveSegments.segmentMsMax * 1_000)
                for (index, track) in segment.tracks.enumerated() {
                    #expect(track.count == segment.wholeParts[index])
                    for part in track where index == 0 { #expect(part.durationUs <= segments.partMs * 1_000) }
                    // All but the last of a segment are about as long as a part ought to be.
                    for part in track.dropLast() where index == 0 { #expect(part.durationUs >= segments.partMs * 850) }
                }
                #expect(segment.tracks[0].first?.isStart == true)
            }
        }
        let length = segments.segments.reduce(0) { $0 + $1.durationUs(0) }
        #expect(length > 2 * LiveSegments.listedMs * 1_000 && length < 3 * LiveSegments.listedMs * 1_000)
        #expect(segments.discontinuities > 0 && segments.listed.segments.count < segments.segments.count)
        let listed = segments.listed
        #expect(listed.discontinuities == segments.discontinuities + segments.segments.count - listed.segments.count)
    }

    @Test("a run begins anew where the camera changes its codec, and holds nothing of the one before")
    func changed() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let file = try maker.make("other.mkv", video: Self.video + ["-s", "160x120"], audio: [])
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        let (before, after) = (try frames(maker), sink.seen.frames.filter { $0.kind == .video })
        var fragments = LiveFragments(.frame, sound: .none)
        var runs: [[LiveFragments.Track]] = []
        for item in fragments.take(.began(dial(before))) + before.flatMap({ fragments.take(.frame($0)) }) {
            if case .began(let tracks) = item { runs.append(tracks) }
        }
        // Its pictures cannot be decoded before a key frame, and sound was not wanted.
        let late = Array(after.drop { $0.isKey })
        for item in late.flatMap({ fragments.take(.frame($0)) }) {
            if case .began(let tracks) = item { runs.append(tracks) }
            if case .piece(let piece) = item, runs.count == 1 {
                #expect(Bool(false), "\(piece.track) follows the old run")
            }
        }
        #expect(runs.map { $0.map(\.header.configuration.width) } == [[before[0].width], [160]])
    }
}

extension Frame {
    fileprivate var width: Int? { configuration.coded?.width }
}
