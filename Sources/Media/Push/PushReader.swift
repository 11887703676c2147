import Machines

/// Reads what is pushed to a publishing point as if a camera sent it. The dial succeeds with the first whole fragment.
///
/// Fragments of several tracks come one after the other, each of a stretch of time; their samples are handed over in the order
/// of their times, as a camera sends them. A sample counts as having come as long before its fragment was whole as it lies
/// before the fragment's end, so that what depends on arrival (pre-roll, detection) sees a steady stream.
final class PushReader: InputReader {
    private let point: PublishingPoint
    private let sink: any InputSink
    private let pool: SlabPool
    private let limits: InputLimits
    private let stop: StopSignal
    private let bounds: LoopBounds
    private let number: UInt64
    private var context: DialContext?
    private var tracks: [PushTrack] = []
    private var clock = PushClock()
    /// What has come before the tracks were described.
    private var waiting: [PublishingPoint.Item] = []
    /// Tracks that are not recorded because another of their kind is, and since when they bring something and that one nothing.
    private var ignoredSince: [String: Instant] = [:]
    /// When something waited last for its turn.
    private var heldAt = Instant(ms: .min / 2)
    private var lastArrival = Instant(ms: .min / 2)
    /// How many frames and bytes may be handed over now.
    private var pace: Pace

    /// What has been kept by the pusher comes as fast as the network brings it, and an input has bounds.
    private struct Pace {
        let framesPerSecond: Int64
        let bytesPerSecond: Int64
        /// Thousandths of frames and bytes.
        private var frames: Int64
        private var bytes: Int64
        private var last: Instant?

        init(_ limits: InputLimits) {
            framesPerSecond = max(1, Int64(limits.frameRateMax) * PushLimits.pacePercent / 100)
            bytesPerSecond = max(1, Int64(limits.byteRateMax) * PushLimits.pacePercent / 100)
            (frames, bytes) = (framesPerSecond * 1_000, bytesPerSecond * 1_000)
        }

        /// A second's worth waits at most.
        mutating func turn(at now: Instant) {
            let passedMs = last.map { max(0, min(1_000, now - $0)) } ?? 0
            last = now
            frames = min(framesPerSecond * 1_000, frames + passedMs * framesPerSecond)
            bytes = min(bytesPerSecond * 1_000, bytes + passedMs * bytesPerSecond)
        }

        var isOpen: Bool { frames > 0 && bytes > 0 }

        mutating func take(_ count: Int) {
            frames -= 1_000
            bytes -= Int64(count) * 1_000
        }
    }

    var counts: InputCounts { context?.counts ?? InputCounts() }

    init(point: PublishingPoint, sink: any InputSink, pool: SlabPool, limits: InputLimits, stop: StopSignal) {
        self.point = point
        self.sink = sink
        self.pool = pool
        self.limits = limits
        self.stop = stop
        bounds = LoopBounds(stop: stop, limits: limits)
        pace = Pace(limits)
        number = point.attach()
    }

    func run() throws(InputFault) -> Never {
        let deadline = BootClock.nowMs() + limits.dialMs
        while true {
            try bounds.turn()
            // What is held already is handed over first; the pusher waits meanwhile.
            let held = waiting.reduce(0) { $0 + $1.fragment.cost } + tracks.reduce(0) { $0 + $1.heldBytes }
            guard let items = point.take(number, most: held == 0 ? .max : PushLimits.waitingBytesMax - held) else {
                throw .failed(.ended, "another dial takes what is pushed")
            }
            waiting += items
            let now = BootClock.now()
            pace.turn(at: now)
            if context == nil, isSettled(at: now) { describe() }
            if context == nil, waiting.isEmpty, now.ms >= deadline {
                throw .failed(.timeout, "nobody pushes to \(point.name)")
            }
            if context != nil {
                try takeWaiting()
                deliver(at: now)
                try context?.checkBudget()
                try checkSilence(at: now)
                context?.tellRepairs(at: now)
            }
            if stop.wait(ms: max(1, limits.restMs)) { throw .stopped }
        }
    }

    func finish() {
        let now = BootClock.now()
        // Nobody takes it any more from an input that was stopped: it is for the next one.
        if stop.isRaised {
            waiting = tracks.flatMap { $0.giveBack() }.sorted { $0.arrival < $1.arrival } + waiting
        }
        point.giveBack(waiting, number)
        waiting = []
        deliver(at: now, isEnd: true)
        for track in tracks { track.flush(at: now) }
        tracks = []
        context?.tellRepairs(at: now, isEnd: true)
        point.detach(number)
    }

    // MARK: The begin

    /// Whether the tracks can be described: a fragment is there, and a header of each kind or the time for the others is over.
    private func isSettled(at now: Instant) -> Bool {
        guard let first = waiting.first else { return false }
        if now - first.arrival >= PushLimits.settleMs { return true }
        let known = point.tracks(of: first.session)
        let kinds = Set(known.map(\.track.kind))
        guard kinds.count == TrackKind.allCases.count else { return false }
        // Of several of a kind the first is recorded that brings something.
        let seen = Set(waiting.map(\.key))
        return known.count == kinds.count || known.allSatisfy { seen.contains($0.key) }
    }

    private func describe() {
        // What is left of a session goes before the next one.
        waiting = waiting.enumerated().sorted { ($0.element.session, $0.offset) < ($1.element.session, $1.offset) }.map(
            \.element)
        guard let first = waiting.first else { return }
        var known: [(key: String, version: Int, track: PushedTrack, session: UInt64)] =
            point.tracks(of: first.session).map { ($0.key, $0.version, $0.track, first.session) }
        // What waits may be of a header that another has replaced since, or of a session that another has followed: it is described as
        // what comes first.
        var seen: Set<String> = []
        for item in waiting where seen.insert(item.key).inserted {
            let found = (item.key, item.version, item.track, item.session)
            if let place = known.firstIndex(where: { $0.key == item.key }) {
                if item.session == first.session { known[place] = found }
            } else if !known.contains(where: { $0.track.kind == item.track.kind }) || item.session == first.session {
                known.append(found)
            }
        }
        // What nobody pushes any more is none of it: a pusher without sessions keeps its old headers.
        known = known.filter { seen.contains($0.key) } + known.filter { !seen.contains($0.key) }
        let clocks = known.map {
            Timeline.Clock(kind: $0.track.kind, timescale: $0.track.frameTimescale, bits: 64, isTrusted: true)
        }
        let context = DialContext(sink: sink, pool: pool, limits: limits, clocks: clocks)
        self.context = context
        var streams: [StreamDescription] = []
        for (ordinal, (key, version, track, session)) in known.enumerated() {
            let isFirst = !tracks.contains { $0.track.kind == track.kind }
            streams.append(
                StreamDescription(
                    ordinal: ordinal, kind: track.kind, sourceCodec: track.codecName, parameters: track.parameters,
                    ignored: isFirst ? nil : "the session has more than one such track"))
            guard isFirst else { continue }
            context.timeline.setZero(0, track: ordinal)
            tracks.append(
                PushTrack(
                    ordinal: ordinal, key: key, session: session, version: version, track, context))
        }
        sink.dialed(streams)
    }

    // MARK: Fragments

    private func takeWaiting() throws(InputFault) {
        while let item = waiting.first {
            let found: PushTrack?
            do throws(InputFault) { found = try track(of: item) } catch {
                // What came before is handed over first.
                if tracks.contains(where: { $0.next != nil }) { return }
                throw error
            }
            waiting.removeFirst()
            guard let track = found else { continue }
            let wallMs = item.fragment.wallClock?.unixMs
            let offset = clock.offsetUs(
                session: item.session, beginUs: item.beginUs, durationUs: item.durationUs, arrival: item.arrival,
                wallMs: wallMs)
            if item.missing > 0, item.delivered == 0 { context?.counts.lostPackets += UInt64(item.missing) }
            track.take(item, offsetUs: offset)
        }
    }

    /// The track to which a fragment belongs; nil where it is none of those that are used. Throws where the pusher has begun others.
    private func track(of item: PublishingPoint.Item) throws(InputFault) -> PushTrack? {
        guard let track = tracks.first(where: { $0.track.kind == item.track.kind }) else {
            throw begins(item)
        }
        guard track.key == item.key || track.session != item.session else {
            // Two of a kind, of which the first is recorded; unless it has ended, and this one is in its place.
            let since = ignoredSince[item.key] ?? item.arrival
            ignoredSince[item.key] = since
            if item.arrival - since > 2 * (track.fragmentMs ?? 0) + PushLimits.holdMs { throw begins(item) }
            return nil
        }
        ignoredSince = [:]
        if track.key != item.key || track.session != item.session || track.version != item.version {
            guard track.track.isFollowed(by: item.track) else { throw begins(item) }
            track.follow(item)
        }
        return track
    }

    private func begins(_ item: PublishingPoint.Item) -> InputFault {
        .failed(.ended, "the pusher has begun other tracks (\(item.track.codecName))")
    }

    private func checkSilence(at now: Instant) throws(InputFault) {
        // What is to be recorded is the video, where there is any, however much sound comes.
        let video = tracks.filter { $0.track.kind == .video }
        let awaited = video.isEmpty ? tracks : video
        // What has come faster than it may be handed over comes still.
        if awaited.contains(where: { $0.next != nil }) { heldAt = now }
        let last = awaited.map(\.lastAt).reduce(heldAt, max)
        guard now - last >= limits.silenceMs else { return }
        if point.isOver { throw .failed(.ended, "the pusher has ended its session") }
        let isHeard = tracks.contains { now - $0.lastAt < limits.silenceMs / 2 }
        throw .failed(
            .silence,
            isHeard
                ? "no video was pushed for \(limits.silenceMs) ms, while sound was"
                : "nothing was pushed for \(limits.silenceMs) ms")
    }

    /// Hands over the samples whose turn it is: those before which no track can bring any more.
    private func deliver(at now: Instant, isEnd: Bool = false) {
        guard context != nil else { return }
        let allowedSince = (video: sink.allowedSince(.video), audio: sink.allowedSince(.audio))
        let mutedUntil = sink.isMuted ? now : sink.mutedUntil
        let isFull = tracks.reduce(0) { $0 + $1.heldBytes } > PushLimits.waitingBytesMax
        while let next = tracks.lazy.filter({ $0.next != nil }).min(by: { ($0.next ?? 0) < ($1.next ?? 0) }),
            let time = next.next
        {
            let isAwaited = tracks.contains {
                $0.isAwaited(before: time, by: next, silenceMs: limits.silenceMs, at: now)
            }
            guard isEnd || (isFull || !isAwaited) && pace.isOpen && !stop.isRaised else { return }
            let bytes = next.nextBytes
            let arrival = next.deliver(
                notBefore: max(lastArrival, now + -PushLimits.waitedMsMax),
                allowedSince: next.track.kind == .audio ? allowedSince.audio : allowedSince.video,
                mutedUntil: mutedUntil)
            // What is left out costs nobody anything.
            guard let arrival else { continue }
            pace.take(bytes)
            lastArrival = arrival
        }
    }
}
