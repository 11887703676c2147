import Foundation
import Ingest
import Machines
import Synchronization
import Testing

@testable import Media

/// Frames of a file, cut into segments and pushed.
struct Pushing {
    let frames: [Frame]

    /// Some seconds of a picture with a key frame each second, and a tone.
    static func make(seconds: Int = 8) throws -> Pushing {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let video = ["-c:v", "libx264", "-g", "25", "-bf", "0", "-sc_threshold", "0", "-pix_fmt", "yuv420p"]
        let file = try maker.make("in.mkv", seconds: seconds, video: video, audio: ["-c:a", "aac"])
        let sink = CollectingSink()
        Input(name: "file", source: .file(path: file, looped: false), pool: SlabPool(), sink: sink).start()
        #expect(sink.wait { !$0.ends.isEmpty })
        return Pushing(frames: Array(sink.seen.frames.drop { !$0.isVideoStart }))
    }

    /// The segments of one session.
    func items(segmentMs: Int64 = 2_000, chunkMs: Int64 = 0) -> [SegmentMaker.Item] {
        var maker = SegmentMaker(
            SegmentMaker.Form(segmentMs: segmentMs, chunkMs: chunkMs, kinds: [.video, .audio])
        ) { 1_700_000_000_000 + $0.ms }
        let last = frames.last?.arrival ?? Instant(ms: 0)
        return frames.flatMap { maker.take($0, dial: 1) } + maker.finish(at: last)
    }

    /// Hands the items over as a session of this number.
    static func hand(
        _ items: [SegmentMaker.Item], to pusher: IngestPusher, session: Int64 = 1,
        _ interface: IngestSession.Interface = .interface1
    ) {
        for item in items {
            switch item {
            case .began(let tracks, _):
                pusher.begin(
                    IngestSession(
                        number: session, interface: interface, segmentMs: 2_000, beganWallMs: 1_700_000_000_000,
                        tracks: tracks.map {
                            IngestSession.Track(name: $0.kind == .video ? "cam" : "mic", header: $0.header)
                        }))
            case .segment(let segment): pusher.add(segment, to: session)
            case .ended: pusher.end(session)
            }
        }
    }

    /// The samples of each track as one file that nothing was pushed of.
    func reference(_ kind: TrackKind, in scratch: Scratch) throws -> String {
        var maker = FragmentMaker()
        for frame in frames { maker.append(frame) }
        try maker.sort()
        let track = try #require(maker.tracks.values.first { $0.kind == kind })
        let path = scratch.path("reference-\(kind).mp4")
        let bytes = track.header.encoded() + (maker.cut(track.ordinal, isLast: true)?.bytes ?? [])
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}

/// A pusher that runs, and what it told.
final class RunningPusher: Sendable {
    let pusher: IngestPusher
    private let news: Told
    private let task: Task<Void, Never>

    private final class Told: Sendable {
        let list = Mutex<[IngestPusher.News]>([])
    }

    init(_ receiver: Receiver, login: String = "", tls: IngestTLS? = nil, stepsMs: [Int64]? = nil) throws {
        let (told, start, tls) = (Told(), ContinuousClock.now, tls ?? receiver.tls)
        news = told
        let pusher = IngestPusher(
            try receiver.point(login), seed: 1,
            nowMs: { Int64((ContinuousClock.now - start) / .milliseconds(1)) },
            makeSender: {
                do throws(IngestFailure) { return .success(try await IngestClient(tls)) } catch {
                    return .failure(error)
                }
            },
            onNews: { one in told.list.withLock { $0.append(one) } }, stepsMs: stepsMs)
        self.pusher = pusher
        task = Task { await pusher.run() }
    }

    var told: [IngestPusher.News] { news.list.withLock { $0 } }

    /// Waits until `isTrue` holds of what was told; fails after a deadline.
    func wait(_ what: String, until isTrue: ([IngestPusher.News]) -> Bool) async throws {
        for _ in 0..<1_200 {
            if isTrue(told) { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("\(what): \(told)")
    }

    func end() async {
        pusher.stop()
        await task.value
    }
}

extension IngestPusher.News {
    var finished: IngestPusher.Sums? { if case .finished(_, let sums) = self { sums } else { nil } }
    var isFinished: Bool { finished != nil }
    var gaveUp: Int64? { if case .gaveUp(let session, _, _) = self { session } else { nil } }
    var failing: String? { if case .failing(_, let words) = self { words } else { nil } }
}
