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
        /// When it came at the latest, by its own time and what comes soonest; for what was kept by the pusher long before.
        let own: Instant
        let fragmentArrival: Instant
        /// Fragments are missing before it.
        let isBehindGap: Bool
        /// When it was taken, in milliseconds since 1970.
        let wallMs: Int64?
        /// What is given free with it, in bytes: all of its fragment with the last one.
        let cost: Int
        /// Where the samples of another header begin: its parameter sets.
        let sets: [[UInt8]]?
    }

    /// What a sample takes while it waits, in bytes, without its data.
    static let sampleBytes = MemoryLayout<Sample>.stride

    private(set) var key: String
    private(set) var session: UInt64
    private(set) var version: Int
    private(set) var track: PushedTrack
    /// When its last fragment came.
    private(set) var lastAt: Instant
    /// What the samples that wait take, in bytes (`PushedFragment.cost`).
    private(set) var heldBytes = 0
    private let ordinal: Int
    private let context: DialContext
    private let maker: Maker
    private var samples: [Sample] = []
    private var first = 0
    private var endUs = Int64.min
    /// How long its last fragment was, in milliseconds; nil before the first one.
    private(set) var fragmentMs: Int64?
    private var isOver = false
    /// It was waited for in vain since its last fragment.
    private var isLagging = false
    private var nextSets: [[UInt8]]?
    /// The fragments of which not all was handed over, the oldest first, and how many samples of the oldest one were.
    private var items: [PublishingPoint.Item] = []
    private var delivered = 0

    init(
        ordinal: Int, key: String, session: UInt64, version: Int, _ track: PushedTrack, _ context: DialContext
    ) {
        self.version = version
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

    /// How many bytes it has.
    var nextBytes: Int { first < samples.count ? samples[first].range.count : 0 }

    /// When its fragment came.
    var nextArrival: Instant { first < samples.count ? samples[first].fragmentArrival : lastAt }

    /// Whether something of it may still come that lies before `time`, and is worth waiting for: `other` waits for it, whose dial is
    /// given up after `silenceMs`. One and a half of its fragments are waited for, and after that no more before it brings another.
    func isAwaited(before time: Int64, by other: PushTrack, silenceMs: Int64, at now: Instant) -> Bool {
        guard next == nil, !isOver, !isLagging, endUs < time else { return false }
        let held = other.fragmentMs ?? 0
        let wanted = (fragmentMs ?? held) * 3 / 2
        let most = min(PushLimits.lagMsMax, silenceMs - held - PushLimits.lagReserveMs)
        // One that has just brought something is waited for from there.
        isLagging =
            now - max(other.nextArrival, lastAt)
            >= max(PushLimits.lagReserveMs, min(most, max(PushLimits.settleMs, wanted)))
        return !isLagging
    }

    /// The fragments of `item` and after it go on in this track: of the next session, or behind another header.
    func follow(_ item: PublishingPoint.Item) {
        (key, session, version) = (item.key, item.session, item.version)
        track = item.track
        if case .video(_, let sets, _) = track.form { nextSets = sets.all }
    }

    /// Takes the samples of a fragment; `offsetUs` is added to its times.
    func take(_ item: PublishingPoint.Item, offsetUs: Int64) {
        let fragment = item.fragment
        let scale = Int64(track.layout.timescale)
        let frameScale = Int64(track.frameTimescale)
        let shift = offsetUs.scaled(frameScale, 1_000_000)
        let priming = Int64(track.layout.primingTicks)
        var ticks = Int64(clamping: fragment.decodeTime)
        let end = Int64(clamping: fragment.decodeTime &+ fragment.durationTicks)
        items.append(item)
        for (number, sample) in fragment.samples.enumerated() {
            let offset = fragment.offsets[number]
            let shown = ticks &+ Int64(sample.compositionOffsetTicks) &- priming
            let next = ticks &+ Int64(sample.durationTicks)
            defer { ticks = next }
            // An input before this one has handed it over.
            if number < item.delivered { continue }
            let endMs = (next &- priming).scaled(1_000, scale) &+ item.delayMs
            samples.append(
                Sample(
                    timeUs: (ticks &- priming).scaled(1_000_000, scale) &+ offsetUs,
                    stamp: shown.scaled(frameScale, scale) &+ shift,
                    durationTicks: Int64(sample.durationTicks).scaled(frameScale, scale), data: fragment.data,
                    range: offset..<offset + Int(sample.size),
                    arrival: arrival(
                        endMs: endMs, latest: item.arrival, leftMs: (end &- next).scaled(1_000, scale)),
                    own: Instant(ms: min(item.arrival.ms, endMs)),
                    fragmentArrival: item.arrival,
                    isBehindGap: number == 0 && item.missing > 0 || number > 0 && number == item.delivered,
                    wallMs: number == 0 ? fragment.wallClock?.unixMs : nil,
                    cost: number == fragment.samples.count - 1 ? fragment.cost : 0,
                    sets: number == item.delivered ? nextSets : nil))
        }
        heldBytes += fragment.cost
        nextSets = nil
        isLagging = false
        endUs = (end &- priming).scaled(1_000_000, scale) &+ offsetUs
        lastAt = item.arrival
        isOver = fragment.isLast
        fragmentMs = item.durationUs / 1_000
    }

    /// When a sample counts as having come that does at `endMs`, by the clock: not after its fragment, and not much before it can
    /// have been sent, which is as long before as it lies before the fragment's end (`leftMs`).
    private func arrival(endMs: Int64, latest: Instant, leftMs: Int64) -> Instant {
        Instant(ms: max(latest.ms &- leftMs &- PushLimits.earlyMsMax, min(latest.ms, endMs)))
    }

    /// Hands the next sample over. What comes has come in order. Returns when it counts as having come; nil where it is left out: what
    /// was taken before one of `allowedSince` does not count as having come after it, which cannot be where something later has come
    /// already. Sound that was taken before `mutedUntil` is silence.
    func deliver(
        notBefore last: Instant, allowedSince: [Instant] = [], mutedUntil: Instant? = nil
    ) -> Instant? {
        let sample = samples[first]
        noteDelivered(sample)
        defer { forgetDelivered() }
        if let sets = sample.sets, case .video(let video) = maker { video.begin(with: sets) }
        var arrival = max(last, sample.arrival)
        for since in allowedSince where sample.own <= since && since < arrival {
            guard last <= since else {
                if case .video(let video) = maker { video.noteLoss() }
                return nil
            }
            arrival = since
        }
        let packet = PacketContext(stamp: sample.stamp, arrival: arrival)
        sample.data.withUnsafeBytes { data in
            let bytes = UnsafeRawBufferPointer(rebasing: data[sample.range])
            switch maker {
            case .video(let video):
                if sample.isBehindGap { video.noteLoss() }
                video.accept(bytes, packet, durationTicks: sample.durationTicks)
            case .audio(let audio):
                let duration = audio.durationTicks(bytes) ?? sample.durationTicks
                audio.accept(
                    bytes, packet, durationTicks: duration, isDamaged: sample.isBehindGap,
                    isSilence: mutedUntil.map { sample.own <= $0 } ?? false)
            }
        }
        if case .video = maker, let wallMs = sample.wallMs {
            let wallUs = wallMs.multipliedReportingOverflow(by: 1_000)
            if !wallUs.overflow {
                _ = context.timeline.report(track: ordinal, raw: sample.stamp, wallUs: wallUs.partialValue)
            }
        }
        return arrival
    }

    private func noteDelivered(_ sample: Sample) {
        first += 1
        delivered += 1
        guard sample.cost > 0, !items.isEmpty else { return }
        heldBytes -= sample.cost
        items.removeFirst()
        delivered = 0
    }

    /// What was not handed over, for the next input; nothing of it is left.
    func giveBack() -> [PublishingPoint.Item] {
        defer { (samples, first, items, delivered, heldBytes) = ([], 0, [], 0, 0) }
        var left = items
        if !left.isEmpty { left[0].delivered += delivered }
        return left
    }

    private func forgetDelivered() {
        guard first == samples.count || first >= 1_024 else { return }
        samples.removeFirst(first)
        first = 0
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
