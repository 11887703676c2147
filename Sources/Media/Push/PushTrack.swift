import Machines

/// One track of a dial whose fragments are pushed: samples that wait for their turn, and what makes frames of them. Used by the
/// input's thread.
final class PushTrack {
    private enum Maker {
        case video(FileVideo)
        case audio(AudioTrack)
    }

    /// A sample that waits.
    private struct Sample {
        /// When it is decoded on the dial's line, in microseconds, and shown, in ticks of the frames.
        let timeUs: Int64
        let stamp: Int64
        let durationTicks: Int64
        let data: [UInt8]
        let range: Range<Int>
        /// When it counts as having come, and when it came.
        let arrival: Instant
        let fragmentArrival: Instant
        /// Fragments are missing before it.
        let isBehindGap: Bool
        /// When it was taken, in milliseconds since 1970.
        let wallMs: Int64?
    }

    private(set) var key: String
    private(set) var session: UInt64
    private(set) var version = 0
    private(set) var track: PushedTrack
    /// When its last fragment came.
    private(set) var lastAt: Instant
    /// Bytes of the samples that wait.
    private(set) var heldBytes = 0
    private let ordinal: Int
    private let context: DialContext
    private let maker: Maker
    private var samples: [Sample] = []
    private var first = 0
    private var endUs = Int64.min
    private var lagMs = PushLimits.settleMs
    private var isOver = false

    init(ordinal: Int, key: String, session: UInt64, _ track: PushedTrack, _ context: DialContext) {
        self.ordinal = ordinal
        self.key = key
        self.session = session
        self.track = track
        self.context = context
        lastAt = BootClock.now()
        switch track.form {
        case .video(let codec, let sets, let lengthBytes):
            maker = .video(
                FileVideo(ordinal: ordinal, codec: codec, sets: sets, lengthBytes: lengthBytes, context: context))
        case .audio(let parameters):
            maker = .audio(AudioTrack(ordinal: ordinal, parameters: parameters, context: context))
        }
    }

    /// When the next sample that waits is decoded, in microseconds; nil where none waits.
    var next: Int64? { first < samples.count ? samples[first].timeUs : nil }

    /// When its fragment came.
    var nextArrival: Instant { first < samples.count ? samples[first].fragmentArrival : lastAt }

    /// Whether something of it may still come that lies before `time`, and is worth waiting for: another track waits since `since`.
    func isAwaited(before time: Int64, since: Instant, at now: Instant) -> Bool {
        next == nil && !isOver && endUs < time && now - since < lagMs
    }

    /// The fragments of `item` and after it go on in this track: of the next session, or behind another header.
    func follow(_ item: PublishingPoint.Item) {
        (key, session, version) = (item.key, item.session, item.version)
        track = item.track
        if case .video(_, let sets, _) = track.form, case .video(let video) = maker { video.begin(with: sets.all) }
    }

    /// Takes the samples of a fragment; `offsetUs` is added to its times, and `delayMs` to those for when they count as having come.
    func take(_ item: PublishingPoint.Item, offsetUs: Int64, delayMs: Int64) {
        let fragment = item.fragment
        let scale = Int64(track.layout.timescale)
        let frameScale = Int64(track.frameTimescale)
        let shift = offsetUs.scaled(frameScale, 1_000_000)
        let priming = Int64(track.layout.primingTicks)
        var ticks = Int64(clamping: fragment.decodeTime)
        let end = Int64(clamping: fragment.decodeTime &+ fragment.durationTicks)
        for (number, sample) in fragment.samples.enumerated() {
            let offset = fragment.offsets[number]
            let shown = ticks &+ Int64(sample.compositionOffsetTicks) &- priming
            let next = ticks &+ Int64(sample.durationTicks)
            samples.append(
                Sample(
                    timeUs: (ticks &- priming).scaled(1_000_000, scale) &+ offsetUs,
                    stamp: shown.scaled(frameScale, scale) &+ shift,
                    durationTicks: Int64(sample.durationTicks).scaled(frameScale, scale), data: fragment.data,
                    range: offset..<offset + Int(sample.size),
                    arrival: arrival(
                        endMs: (next &- priming).scaled(1_000, scale) &+ offsetUs / 1_000 &+ delayMs,
                        latest: item.arrival, leftMs: (end &- next).scaled(1_000, scale)),
                    fragmentArrival: item.arrival,
                    isBehindGap: number == 0 && item.missing > 0,
                    wallMs: number == 0 ? fragment.wallClock?.unixMs : nil))
            heldBytes += Int(sample.size)
            ticks = next
        }
        endUs = (end &- priming).scaled(1_000_000, scale) &+ offsetUs
        lastAt = item.arrival
        isOver = fragment.isLast
        lagMs = max(PushLimits.settleMs, min(PushLimits.lagMsMax, item.durationUs / 1_000 * 3 / 2))
    }

    /// When a sample counts as having come that does at `endMs`, by the clock: not after its fragment, and not much before it can
    /// have been sent, which is as long before as it lies before the fragment's end (`leftMs`).
    private func arrival(endMs: Int64, latest: Instant, leftMs: Int64) -> Instant {
        Instant(ms: max(latest.ms &- leftMs &- PushLimits.earlyMsMax, min(latest.ms, endMs)))
    }

    /// Hands the next sample over. What comes has come in order; returns when it counts as having come.
    func deliver(notBefore last: Instant) -> Instant {
        let sample = samples[first]
        first += 1
        heldBytes -= sample.range.count
        let arrival = max(last, sample.arrival)
        let packet = PacketContext(stamp: sample.stamp, arrival: arrival)
        sample.data.withUnsafeBytes { data in
            let bytes = UnsafeRawBufferPointer(rebasing: data[sample.range])
            switch maker {
            case .video(let video):
                if sample.isBehindGap { video.noteLoss() }
                video.accept(bytes, packet, durationTicks: sample.durationTicks)
            case .audio(let audio):
                let duration = audio.durationTicks(bytes) ?? sample.durationTicks
                audio.accept(bytes, packet, durationTicks: duration, isDamaged: sample.isBehindGap)
            }
        }
        if case .video = maker, let wallMs = sample.wallMs {
            let wallUs = wallMs.multipliedReportingOverflow(by: 1_000)
            if !wallUs.overflow {
                _ = context.timeline.report(track: ordinal, raw: sample.stamp, wallUs: wallUs.partialValue)
            }
        }
        if first == samples.count || first >= 1_024 {
            samples.removeFirst(first)
            first = 0
        }
        return arrival
    }

    /// The dial has ended: hands over what still waits for its order.
    func flush(at now: Instant) {
        switch maker {
        case .video(let video): video.flush()
        case .audio(let audio): audio.flush(at: now)
        }
    }
}

extension PublishingPoint.Item {
    /// When its first sample is shown on the session's line, in microseconds.
    var beginUs: Int64 {
        (Int64(clamping: fragment.decodeTime) &- Int64(track.layout.primingTicks))
            .scaled(1_000_000, Int64(track.layout.timescale))
    }

    /// How long it lasts, in microseconds.
    var durationUs: Int64 { Int64(clamping: fragment.durationTicks).scaled(1_000_000, Int64(track.layout.timescale)) }
}
