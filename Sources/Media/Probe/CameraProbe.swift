import Hashing
import Machines
import Synchronization

/// Dials a camera as the daemon does, watches what it sends for a few seconds, and keeps none of it.
public enum CameraProbe {
    /// What `source` offers; watched for `ms` milliseconds from the moment it plays. A dial takes as long as the daemon's may.
    public static func run(_ source: InputSource, ms: Int64) async -> ProbeReport {
        let (happened, tell) = AsyncStream.makeStream(of: Happening.self)
        let sink = ProbeSink(source, tell)
        let input = Input(name: "probe", source: source, pool: SlabPool(), sink: sink)
        input.start()
        var timer: Task<Void, Never>?
        for await happening in happened {
            guard happening == .dialed, timer == nil else { continue }
            timer = Task {
                try? await Task.sleep(for: .milliseconds(ms))
                input.stop()
            }
        }
        timer?.cancel()
        return sink.report
    }

    fileprivate enum Happening { case dialed }
}

/// Counts what comes of a camera; the stream that it tells ends with the input.
private final class ProbeSink: InputSink {
    /// What has been seen of one track.
    fileprivate struct Seen {
        var track: ProbeReport.Track
        var ordinal: Int
        var bytes = 0
        var first: Int64?
        var last: Int64 = 0
        var highest = Int64.min
        var lastStart: Int64?
        var configuration: TrackConfiguration?

        /// The ticks as milliseconds.
        func ms(_ ticks: Int64) -> Int64 {
            ticks.scaled(1_000, Int64(max(1, configuration?.parameters.timescale ?? 1)))
        }
    }

    private struct State {
        var report = ProbeReport()
        var seen: [Seen] = []
        var played: Int64?
    }

    private let filter: SecretFilter
    private let began = BootClock.nowMs()
    private let tell: AsyncStream<CameraProbe.Happening>.Continuation
    private let state = Mutex(State())

    init(_ source: InputSource, _ tell: AsyncStream<CameraProbe.Happening>.Continuation) {
        self.tell = tell
        filter = SecretFilter(source)
    }

    /// What was seen so far.
    var report: ProbeReport {
        state.withLock { state in
            var report = state.report
            report.tracks = state.seen.map { seen in
                var track = seen.track
                let span = seen.ms(seen.last - (seen.first ?? seen.last))
                if track.frames > 1, span > 0 {
                    track.frameRate = Double(track.frames - 1) * 1_000 / Double(span)
                    track.bitRate = Double(seen.bytes) * 8_000 / Double(span)
                }
                return track
            }
            return report
        }
    }

    func noted(_ facts: DialFacts) {
        state.withLock { state in
            state.report.server = facts.server.map(filter.clean)
            state.report.transport = facts.transport
            state.report.isEncrypted = facts.isEncrypted
            state.report.login = facts.login
            state.report.keepAlive = facts.keepAlive
            state.report.sessionMs = facts.sessionMs
            state.report.quirks = facts.quirks.sorted { ($0.row, $0.rawValue) < ($1.row, $1.rawValue) }
        }
    }

    func dialed(_ streams: [StreamDescription]) {
        let now = BootClock.nowMs()
        state.withLock { state in
            state.played = now
            state.report.dialMs = now - began
            state.seen = streams.map { stream in
                let track = ProbeReport.Track(
                    kind: stream.kind, sourceCodec: stream.sourceCodec, ignored: stream.ignored,
                    isMade: stream.madeFrom != nil)
                return Seen(track: track, ordinal: stream.ordinal)
            }
        }
        tell.yield(.dialed)
    }

    func frame(_ frame: Frame) {
        state.withLock { state in
            guard let index = state.seen.firstIndex(where: { $0.ordinal == frame.track }) else { return }
            state.seen[index].take(frame)
        }
    }

    func repaired(_ report: RepairReport) {
        state.withLock { $0.report.repairs[report.kind.rawValue, default: 0] += Int(clamping: report.count) }
    }

    func refused(track: Int, why: String) { state.withLock { $0.report.refusals.append(filter.clean(why)) } }

    func moved(level: Sensitivity, at instant: Instant) {}

    func ended(_ end: InputEnd, counts: InputCounts) {
        let now = BootClock.nowMs()
        state.withLock { state in
            state.report.watchedMs = state.played.map { now - $0 } ?? 0
            state.report.lostPackets = counts.lostPackets
            if case .failed(let failure, let detail) = end {
                state.report.failure = failure
                state.report.failureDetail = filter.clean(detail)
            }
        }
        tell.finish()
    }
}

extension ProbeSink.Seen {
    /// Counts a frame.
    fileprivate mutating func take(_ frame: Frame) {
        if configuration !== frame.configuration {
            if configuration != nil { track.changes += 1 }
            configuration = frame.configuration
            let parameters = frame.configuration.parameters
            let coded = frame.configuration.coded
            track.codec = coded.map { "\($0.codec)" }
            track.width = coded?.width
            track.height = coded?.height
            if parameters.sampleRate > 0 { track.sampleRate = parameters.sampleRate }
            if parameters.channels > 0 { track.channels = parameters.channels }
        }
        track.frames += 1
        bytes += frame.count
        if frame.isDamaged { track.damaged += 1 }
        if frame.pts < highest { track.isReordered = true }
        highest = max(highest, frame.pts)
        if first == nil { first = frame.dts }
        last = frame.dts
        guard track.kind == .video, frame.opensClip else { return }
        if let before = lastStart { track.groupMs = max(track.groupMs ?? 0, ms(frame.dts - before)) }
        lastStart = frame.dts
    }
}
