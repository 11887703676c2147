public import Machines

/// Turns the time stamps that a camera claims into times that can be trusted: one timeline for all tracks of a dial,
/// beginning at the arrival of its first frame.
///
/// The claimed clock is believed as long as arrival, the only witness, does not contradict it: a frame cannot arrive
/// before it was taken, and a clock does not stand still or run backwards while frames come. Where it is contradicted,
/// the track is moved so that it goes on from its last time by what has passed in arrival; a jump that both tracks make
/// moves both by the same amount, so that lip sync holds. Pure: no clock is read, any input gives a result.
public struct Timeline: Sendable {
    /// The clock that a track's stamps are in.
    public struct Clock: Hashable, Sendable {
        /// What the track carries.
        public var kind: TrackKind
        /// Ticks a second, 1…1 000 000.
        public var timescale: Int32
        /// How many bits the stamps have (32 for RTP); 64: they do not wrap.
        public var bits: Int
        /// Whether steps and rate of the stamps are believed where arrival contradicts them: what is pushed may have waited.
        var isTrusted: Bool

        /// A clock; `timescale` is forced into its range.
        public init(kind: TrackKind, timescale: Int32, bits: Int = 32, isTrusted: Bool = false) {
            self.isTrusted = isTrusted
            self.kind = kind
            self.timescale = max(1, min(1_000_000, timescale))
            self.bits = bits
        }
    }

    /// Where a frame is put.
    public struct Placement: Hashable, Sendable {
        /// Presentation time in ticks of the track.
        public let pts: Int64
        /// The camera's wall clock in milliseconds since 1970, once a sender report has come.
        let wallClockMs: Int64?
        /// What was repaired, and by how many milliseconds.
        let repair: Repair?

        /// What was repaired; nil when the stamp was believed.
        public var repaired: RepairKind? { repair?.kind }
    }

    /// What is believed.
    public struct Limits: Hashable, Sendable {
        /// A step of the clock up to this many milliseconds, in either direction, is believed without a witness.
        public var stepMs: Int64 = 2_000
        /// How far ahead of the best arrival so far a larger step may lead, in milliseconds.
        public var aheadMs: Int64 = 1_000
        /// A step forward of a trusted clock up to this many milliseconds is believed, and so far may tracks be apart in the beginning.
        var trustedMs: Int64 = 10_000
        /// Jumps of two tracks within this many milliseconds of each other may be one jump.
        var togetherMs: Int64 = 5_000
        /// A contradiction between sender reports of more than this many milliseconds is a lie and is ignored.
        var alignMsMax: Int64 = 3_000
        /// A contradiction of less than this many milliseconds is left alone.
        var alignMsMin: Int64 = 20
        /// How many frames in a row may repeat or fall behind before the track is moved.
        var behindMax = 8

        /// The default limits.
        public init() {}
    }

    let limits: Limits
    var tracks: [TimelineTrack]
    private var origin: Instant?
    /// The last jump that was repaired, to be repeated on the other track.
    private var jump: (shiftUs: Int64, arrival: Instant, track: Int)?

    /// A timeline for the tracks with these clocks, by ordinal.
    public init(clocks: [Clock], limits: Limits = Limits()) {
        self.limits = limits
        tracks = clocks.map { TimelineTrack(clock: $0) }
    }

    /// Says whether frames of `track` can come in another order than they are shown. True until said otherwise.
    mutating func setReorders(_ reorders: Bool, track: Int) {
        guard tracks.indices.contains(track) else { return }
        tracks[track].reorders = reorders && tracks[track].kind == .video
    }

    /// The track's stamp `raw` means the same moment as the stamps given here for other tracks (0 on each track of a
    /// file, RTP-Info's rtptime of RFC 2326). Where a first frame contradicts it by more than a step, arrival is believed.
    mutating func setZero(_ raw: Int64, track: Int) {
        guard tracks.indices.contains(track), !tracks[track].isPlaced else { return }
        tracks[track].zero = raw
    }

    /// Where the first frame of a track belongs: beside the tracks whose zero is the same moment, else at its arrival.
    private func firstTime(_ index: Int, stamp: Int64, elapsed: Int64) -> Int64 {
        guard let own = tracks[index].sinceZero(stamp),
            let other = tracks.first(where: { $0.isPlaced && $0.zeroTime != nil }), let zeroUs = other.zeroTime
        else { return elapsed }
        let pts = tracks[index].ticks(us: zeroUs) + own
        let most = tracks[index].isTrusted ? limits.trustedMs : limits.stepMs
        return (pts - elapsed).magnitude <= tracks[index].ticks(ms: most).magnitude ? pts : elapsed
    }

    /// Puts a frame on the timeline. `raw` is the claimed stamp (nil: none), `durationTicks` how long it lasts (audio).
    public mutating func place(track: Int, raw: Int64?, arrival: Instant, durationTicks: Int64? = nil) -> Placement {
        guard tracks.indices.contains(track) else { return Placement(pts: 0, wallClockMs: nil, repair: nil) }
        let origin = self.origin ?? arrival
        self.origin = origin
        let elapsed = tracks[track].ticks(ms: arrival - origin)
        guard let raw else { return placeWithoutStamp(track, elapsed: elapsed, arrival: arrival, durationTicks) }
        let stamp = tracks[track].unwrap(raw)
        guard tracks[track].isPlaced else {
            let pts = firstTime(track, stamp: stamp, elapsed: elapsed)
            tracks[track].anchor(stamp: stamp, at: pts)
            return accept(track, pts: pts, stamp: stamp, elapsed: elapsed, durationTicks, repair: nil)
        }
        if tracks[track].rate.isLying {
            let pts = tracks[track].byArrival(elapsed)
            if tracks[track].rate.note(stamp: stamp, elapsed: elapsed, timescale: tracks[track].timescale) {
                tracks[track].anchor(stamp: stamp, at: pts)
            }
            let repair = Repair(kind: .rate, shiftMs: 0)
            return accept(track, pts: pts, stamp: stamp, elapsed: elapsed, durationTicks, repair: repair)
        }
        return placeStamped(track, stamp: stamp, elapsed: elapsed, arrival: arrival, durationTicks)
    }

    private mutating func placeStamped(
        _ index: Int, stamp: Int64, elapsed: Int64, arrival: Instant, _ durationTicks: Int64?
    ) -> Placement {
        let track = tracks[index]
        let mapped = track.mapped(stamp)
        let step = mapped - track.highest
        let bound = track.ticks(ms: limits.stepMs)
        if step > bound, !isPlausible(track, mapped: mapped, step: step, elapsed: elapsed) {
            return move(index, stamp: stamp, elapsed: elapsed, arrival: arrival, durationTicks, kind: .forward)
        }
        if step < -bound {
            return move(index, stamp: stamp, elapsed: elapsed, arrival: arrival, durationTicks, kind: .backward)
        }
        let isLate = track.kind == .video ? step <= 0 && (!track.reorders || track.isRecent(mapped)) : step < -bound / 2
        if isLate {
            return squeeze(index, stamp: stamp, step: step, elapsed: elapsed, arrival: arrival, durationTicks)
        }
        tracks[index].behind = 0
        if track.kind == .video, !track.reorders, track.isRTP, !track.isScaled,
            let rate = tracks[index].guess.note(stamp: stamp, elapsed: elapsed, timescale: track.timescale)
        {
            return recount(index, rate: rate, stamp: stamp, elapsed: elapsed, durationTicks)
        }
        if track.kind == .video, !track.reorders, !track.isTrusted,
            tracks[index].rate.note(stamp: stamp, elapsed: elapsed, timescale: track.timescale)
        {
            tracks[index].followArrival(elapsed)
            let repair = Repair(kind: .rate, shiftMs: track.microseconds(mapped - elapsed) / 1000)
            let pts = tracks[index].byArrival(elapsed)
            return accept(index, pts: pts, stamp: stamp, elapsed: elapsed, durationTicks, repair: repair)
        }
        let pts = track.smoothed(mapped)
        return accept(index, pts: pts, stamp: stamp, elapsed: elapsed, durationTicks, repair: nil)
    }

    /// Whether a large step forward can be true: as much time has passed in arrival, or it does not lead further ahead
    /// of arrival than the track has been before (the camera dropped what it could not send).
    private func isPlausible(_ track: TimelineTrack, mapped: Int64, step: Int64, elapsed: Int64) -> Bool {
        let ahead = track.ticks(ms: limits.aheadMs)
        if track.isTrusted, step <= track.ticks(ms: limits.trustedMs) { return true }
        return step <= elapsed - track.lastElapsed + ahead || mapped - elapsed <= track.lead + ahead
    }

    /// Moves the track so that this frame follows the last one by what has passed in arrival.
    private mutating func move(
        _ index: Int, stamp: Int64, elapsed: Int64, arrival: Instant, _ durationTicks: Int64?, kind: RepairKind
    ) -> Placement {
        let track = tracks[index]
        let mapped = track.mapped(stamp)
        var pts = track.highest + max(track.nextStep, elapsed - track.lastElapsed)
        var shiftUs = track.microseconds(mapped - pts)
        if let jump, jump.track != index, (arrival - jump.arrival).magnitude <= limits.togetherMs.magnitude,
            (jump.shiftUs - shiftUs).magnitude <= 500_000
        {
            let together = mapped - track.ticks(us: jump.shiftUs)
            if together > track.highest {
                pts = together
                shiftUs = jump.shiftUs
            }
        }
        jump = (shiftUs, arrival, index)
        tracks[index].anchor(stamp: stamp, at: pts)
        let repair = Repair(kind: kind, shiftMs: shiftUs / 1000)
        return accept(index, pts: pts, stamp: stamp, elapsed: elapsed, durationTicks, repair: repair)
    }

    /// A stamp that repeats, or falls a little behind where nothing reorders: the frame goes between its neighbours.
    /// When this goes on, the track is moved.
    private mutating func squeeze(
        _ index: Int, stamp: Int64, step: Int64, elapsed: Int64, arrival: Instant, _ durationTicks: Int64?
    ) -> Placement {
        let kind: RepairKind = step == 0 || tracks[index].reorders ? .repeated : .backward
        tracks[index].behind += 1
        let track = tracks[index]
        if track.behind > limits.behindMax {
            // The next one that repeats is moved at once, until a stamp is right again.
            tracks[index].behind = limits.behindMax
            return move(index, stamp: stamp, elapsed: elapsed, arrival: arrival, durationTicks, kind: kind)
        }
        let passed = max(1, elapsed - track.lastElapsed)
        // The first one leaves room for a neighbour that is on time; from the second on arrival decides.
        let pts = track.highest + (track.behind == 1 ? min(passed, max(1, track.nextStep / 2)) : passed)
        let repair = Repair(kind: kind, shiftMs: track.microseconds(pts - track.mapped(stamp)) / 1000)
        return accept(index, pts: pts, stamp: stamp, elapsed: elapsed, durationTicks, repair: repair)
    }

    /// The clock counts at another rate than promised: the frame goes where arrival puts it, and what follows goes on from
    /// there in that count.
    private mutating func recount(
        _ index: Int, rate: Int64, stamp: Int64, elapsed: Int64, _ durationTicks: Int64?
    ) -> Placement {
        let track = tracks[index]
        let pts = max(track.highest + 1, elapsed + track.lead)
        tracks[index].count(rate: rate, at: pts)
        let repair = Repair(kind: .rate, shiftMs: track.microseconds(track.mapped(stamp) - pts) / 1000)
        return accept(index, pts: pts, stamp: nil, elapsed: elapsed, durationTicks, repair: repair)
    }

    private mutating func placeWithoutStamp(
        _ index: Int, elapsed: Int64, arrival: Instant, _ durationTicks: Int64?
    ) -> Placement {
        let track = tracks[index]
        let pts =
            track.isPlaced
            ? track.highest + max(track.nextStep, min(elapsed - track.lastElapsed, track.ticks(ms: limits.stepMs)))
            : elapsed
        let repair = Repair(kind: .missing, shiftMs: 0)
        return accept(index, pts: pts, stamp: nil, elapsed: elapsed, durationTicks, repair: repair)
    }

    private mutating func accept(
        _ index: Int, pts: Int64, stamp: Int64?, elapsed: Int64, _ durationTicks: Int64?, repair: Repair?
    ) -> Placement {
        tracks[index].accept(pts: pts, elapsed: elapsed, durationTicks: durationTicks, isRepaired: repair != nil)
        let wall = stamp.flatMap { tracks[index].wallClockMs($0) }
        return Placement(pts: pts, wallClockMs: wall, repair: repair)
    }
}

extension Timeline {
    /// A sender report: at the camera's wall clock `wallUs` (microseconds since 1970) the track's stamp was `raw`.
    /// Audio is moved to where video says it belongs when both have reported; gives the repair if so.
    mutating func report(track: Int, raw: Int64, wallUs: Int64) -> Repair? {
        guard tracks.indices.contains(track), tracks[track].isPlaced else { return nil }
        tracks[track].report(raw: raw, wallUs: wallUs)
        guard let video = tracks.firstIndex(where: { $0.kind == .video }), let videoZero = tracks[video].wallZeroUs
        else { return nil }
        for audio in tracks.indices where tracks[audio].kind == .audio {
            guard let audioZero = tracks[audio].wallZeroUs else { continue }
            let (shiftUs, overflow) = audioZero.subtractingReportingOverflow(videoZero)
            guard !overflow, shiftUs.magnitude <= UInt64(limits.alignMsMax) * 1000,
                shiftUs.magnitude >= UInt64(limits.alignMsMin) * 1000
            else { continue }
            tracks[audio].shift(by: tracks[audio].ticks(us: shiftUs))
            return Repair(kind: .aligned, shiftMs: shiftUs / 1000)
        }
        return nil
    }
}
