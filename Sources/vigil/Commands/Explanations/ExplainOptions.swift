internal import ArgumentParser
internal import Client
internal import Explain
internal import Machines
internal import Policies
internal import Replay
internal import Server
internal import Trace

/// What `simulate` and `ladder` have in common: the time, the trace, and what is known of the site.
struct ExplainOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("From this time on; a length such as 7d is that long ago.", valueName: "time"))
    var since = "7d"

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Until this time.", valueName: "time"))
    var until = "now"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration, for the time zone, the zones of the cameras and the policies by name. Default: the daemon's.",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @OptionGroup var trace: TraceOption
    @OptionGroup var socket: SocketOption

    @Flag(name: .long, help: "Write JSON; times are in UTC.")
    var json = false

    /// How long before the time that counts is read, so that windows and blind time are right and a whole state is found.
    private static let contextMs: Int64 = 3 * 3_600_000

    /// What is known of the site.
    struct Site {
        let clock: DisplayClock
        let zone: String
        /// The configuration; nil where it cannot be read.
        let snapshot: LoadedConfiguration?
        /// A daemon answers.
        let isRunning: Bool
        /// Where the trace is read from.
        let source: TraceSource
    }

    /// Asks the daemon and reads the configuration. One that is named must be good.
    func site() async throws -> Site {
        let status = try await trace.ask(socket) { try await $0.status() }
        var snapshot: LoadedConfiguration?
        if let path = config ?? status?.config {
            switch ConfigurationLoader().load(path).result {
            case .success(let loaded): snapshot = loaded
            case .failure(let refusal):
                if config != nil { throw Failure("\(path) would be refused:\n\(refusal)") }
            }
        }
        let source = trace.source(daemonRoot: status?.storage.root)
        guard let zone = config == nil ? status?.timeZone : snapshot?.configuration.timeZone else {
            return Site(
                clock: DisplayClock.local, zone: DisplayClock.localZone, snapshot: snapshot, isRunning: false,
                source: source)
        }
        return Site(
            clock: DisplayClock(zone: zone, now: DisplayClock.present), zone: zone, snapshot: snapshot,
            isRunning: status != nil, source: source)
    }

    /// The time that counts, milliseconds since 1970.
    func time(_ clock: DisplayClock) throws -> Range<Int64> {
        let from = try TimeLength(argument: since).map { clock.now.ms - $0.ms } ?? clock.read(since).ms
        let asked = try clock.read(until).ms
        // A trace from elsewhere may be ahead of this machine's clock.
        let to = !trace.isNamed ? min(asked, clock.now.ms) : asked
        guard from < to else { throw Failure("--since is not before --until") }
        return from..<to
    }

    /// The histories of one camera, or of all, that reach into the time.
    func histories(_ camera: String?, _ time: Range<Int64>, _ site: Site) throws -> CameraHistoryReader {
        var histories = CameraHistoryReader()
        do {
            var reader = try site.source.reader(
                TraceQuery(camera: camera, sinceMs: time.lowerBound - Self.contextMs, untilMs: time.upperBound))
            while let record = try reader.next() { histories.take(record) }
            TraceOption.note(reader, of: site.source)
        } catch {
            guard let fault = traceFault(error) else { throw error }
            throw Failure(fault, status: 2)
        }
        guard !histories.histories.isEmpty else {
            throw Failure(
                "no trace of \(camera.map { "camera \($0)" } ?? "a camera") in that time is in \(site.source)")
        }
        return histories
    }

    /// Bytes for each millisecond of a camera's clips in the time; nil where there is no daemon or no clip.
    func byteRate(of camera: String, _ time: Range<Int64>, _ site: Site) async throws -> Double? {
        guard site.isRunning else { return nil }
        let sums = try await trace.ask(socket) { client -> (bytes: Int64, ms: Int64)? in
            let filter = ListFilter(
                camera: camera, from: WallTime(ms: time.lowerBound), to: WallTime(ms: time.upperBound),
                limit: ListFilter.pageMax)
            var (bytes, ms): (Int64, Int64) = (0, 0)
            do {
                try await Listing(filter: filter, fetch: client.clips).all { clips in
                    for clip in clips {
                        guard let end = clip.end, end > clip.start else { continue }
                        bytes += clip.tracks.reduce(0) { $0 + $1.bytes }
                        ms += end.ms - clip.start.ms
                    }
                }
            } catch ClientError.refused(let error) where error.kind == .notFound { return nil }
            return (bytes, ms)
        }
        guard let sums, let sums, sums.ms > 0 else { return nil }
        return Double(sums.bytes) / Double(sums.ms)
    }
}

/// Something that cannot be known, as JSON.
struct UnknownAnswer: Encodable {
    struct Time: Encodable {
        let from, to: WallTime
    }

    let kind: Unknown.Kind
    let ms: Int64
    let times: [Time]
    let words: String

    init(_ unknown: Unknown, _ clock: DisplayClock) {
        kind = unknown.kind
        ms = unknown.ms
        times = unknown.times.map { Time(from: WallTime(ms: $0.lowerBound), to: WallTime(ms: $0.upperBound)) }
        words = clock.narrator.words(unknown)
    }
}

/// What an simulated recording holds, as JSON.
struct SimulatedRecordingAnswer: Encodable {
    let events, clips: Int
    let recordedMs: Int64
    /// By the measured rate of the camera's clips; nil where there is none.
    let bytes: Int64?
    let suppressed: [String: Int]

    init(_ outlook: SimulatedRecording, _ byteRate: Double?) {
        events = outlook.events
        clips = outlook.clips.count
        recordedMs = outlook.recordedMs
        bytes = byteRate.map { Int64(Double(outlook.recordedMs) * $0) }
        suppressed = Dictionary(uniqueKeysWithValues: outlook.suppressed.map { ($0.key.rawValue, $0.value) })
    }
}
