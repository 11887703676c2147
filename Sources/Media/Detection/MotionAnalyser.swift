import CLibav
import Glibc
import Machines

/// From frames to observations: decodes what is needed, makes it small, asks the model. Used by one thread at a time.
package final class MotionAnalyser {
    /// Whether leaving out pictures that no other refers to leaves enough is looked at over this many seconds of media.
    private static let skipWindow = 2.0
    /// Key frames may be this far apart, in seconds, for the detector to rest until the next one …
    static let restMax = 2.2
    /// … after this many observations since the last one.
    static let restAfter = 3
    /// Configurations that cannot be decoded are not tried again with each frame.
    private var refused: TrackConfiguration?
    private let configuration: MotionConfiguration
    private let deliver: (MotionObservation) -> Void
    private var decoder: VideoDecoder?
    private var decoderConfiguration: TrackConfiguration?
    private var model: MotionModel
    private var health = PictureHealth()
    private var zones: CellZones?
    /// What came with the frames that are inside the decoder.
    private var arrivals: [(pts: Int64, arrival: Instant)] = []
    private var keyTimes: [Int64] = []
    /// Nothing is decoded before the next key frame.
    private var needsKey = true
    private var nextDue: Double?
    private var skipWindowStart: Double?
    private var skipWindowPictures = 0
    private var maySkip = true
    private var lastKeyPts: Int64?
    /// Seconds between the last two key frames; nil when they are not known or not regular.
    private var keyDistance: Double?
    private var observationsInGroup = 0
    private var isCertain = false
    /// Nothing is decoded until the next key frame, because nothing more can be learnt.
    private var isResting = false
    /// It rests no longer than this, in seconds.
    var restMax = MotionAnalyser.restMax
    /// What it has cost so far.
    package private(set) var cost = MotionCost()

    /// `deliver` is called for each observation, on the thread that hands in the frame.
    package init(_ configuration: MotionConfiguration, deliver: @escaping (MotionObservation) -> Void) {
        self.configuration = configuration
        self.deliver = deliver
        model = MotionModel(parameters: configuration.parameters)
    }

    /// Frames were left out: nothing before the next key frame can be decoded.
    func interrupt() {
        needsKey = true
        isResting = false
        lastKeyPts = nil
        keyDistance = nil
        decoder?.flush()
        arrivals = []
    }

    /// Takes a video frame in decoding order.
    package func take(_ frame: Frame) {
        let start = CPUClock.threadNs()
        let spent = cost.detectionNs
        defer { cost.decodingNs += CPUClock.threadNs() &- start &- (cost.detectionNs &- spent) }
        if frame.configuration !== decoderConfiguration { open(frame.configuration) }
        guard let decoder else { return }
        if frame.isKey || frame.isRecoveryPoint {
            needsKey = false
            note(key: frame.pts)
        } else if configuration.depth == .keyFrames {
            return
        }
        guard !needsKey else { return }
        if frame.isKey {
            measureGroup(frame.pts)
        } else if isResting {
            cost.rested += 1
            return
        }
        arrivals.append((frame.pts, frame.arrival))
        if arrivals.count > 64 { arrivals.removeFirst() }
        cost.sent += 1
        let isFine = frame.withBytes { bytes in
            decoder.decode(bytes, pts: frame.pts, isKey: frame.isKey) { picture($0) }
        }
        if !isFine { cost.undecodable += 1 }
        if configuration.depth == .keyFrames { decoder.drain { picture($0) } }
        if mayRest {
            isResting = true
            decoder.drain { picture($0) }
        }
    }

    /// Looks at what the decoder still holds.
    package func finish() { decoder?.drain { picture($0) } }

    private func open(_ track: TrackConfiguration) {
        guard track !== refused else { return }
        decoder?.drain { picture($0) }
        decoder = nil
        decoderConfiguration = nil
        needsKey = true
        arrivals = []
        guard let codec = track.coded,
            let opened = VideoDecoder(codec, fast: true)
        else {
            refused = track
            cost.undecodable += 1
            return
        }
        decoder = opened
        decoderConfiguration = track
        opened.skipsUnreferenced = maySkip
        skipWindowStart = nil
    }

    private var mayRest: Bool {
        configuration.depth == .steady && !isResting && isCertain && observationsInGroup >= MotionAnalyser.restAfter
            && (keyDistance ?? .infinity) <= min(restMax, MotionAnalyser.restMax)
    }

    /// A key frame begins a group of pictures.
    private func measureGroup(_ pts: Int64) {
        if let last = lastKeyPts {
            let distance = Double(pts &- last) / 90_000
            keyDistance = distance > 0 ? distance : nil
        }
        lastKeyPts = pts
        observationsInGroup = 0
        // What was left out says nothing about how many pictures are needed.
        if isResting { skipWindowStart = nil }
        isResting = false
    }

    private func note(key pts: Int64) {
        keyTimes.append(pts)
        if keyTimes.count > 16 { keyTimes.removeFirst() }
    }

    /// A decoded picture, in presentation order.
    private func picture(_ frame: UnsafeMutablePointer<AVFrame>) {
        cost.decoded += 1
        let pts = frame.pointee.best_effort_timestamp
        let seconds = Double(pts) / 90_000
        watchSkipping(seconds)
        guard isDue(seconds) else { return }
        guard var plane = LumaReducer.reduce(frame) else {
            cost.undecodable += 1
            return
        }
        // Zones and masks are drawn on what people see.
        if decoderConfiguration?.parameters.rotation == .half { plane.pixels.reverse() }
        let start = CPUClock.threadNs()
        let observation = observe(plane, pts: pts)
        cost.observed += 1
        cost.detectionNs += CPUClock.threadNs() &- start
        deliver(observation)
    }

    private func observe(_ plane: LumaPlane, pts: Int64) -> MotionObservation {
        let seconds = Double(pts) / 90_000
        let field = model.observe(plane, at: seconds)
        let changes = health.observe(plane, at: seconds)
        if zones?.columns != field.columns || zones?.rows != field.rows {
            zones = CellZones(
                configuration.zones, columns: field.columns, rows: field.rows, cellWidth: field.cellWidth,
                cellHeight: field.cellHeight)
        }
        let map = zones ?? CellZones(MotionZones(), columns: 0, rows: 0, cellWidth: 0, cellHeight: 0)
        let verdict = MotionVerdict(field, zones: map, parameters: configuration.parameters)
        observationsInGroup += 1
        isCertain = verdict.zonesByLevel.first == map.all
        let arrival = arrivals.last { $0.pts == pts }?.arrival ?? arrivals.last?.arrival ?? Instant(ms: 0)
        arrivals.removeAll { $0.pts < pts }
        return MotionObservation(
            pts: pts, arrival: arrival, keyPts: keyTimes.last { $0 <= pts }, level: verdict.level, score: verdict.score,
            zonesByLevel: verdict.zonesByLevel, regions: verdict.regions, movingShare: field.movingShare,
            conditions: changes)
    }

    /// Whether the picture of this time is one to look at. Times are held on a grid of the wanted rate.
    private func isDue(_ seconds: Double) -> Bool {
        let step = 1 / max(0.1, configuration.parameters.rate)
        guard let due = nextDue, seconds < due + 10, seconds > due - 10 else {
            nextDue = seconds + step
            return true
        }
        // Half a millisecond: times in ticks are rounded.
        guard seconds >= due - 0.0005 else { return false }
        nextDue = (seconds - due < step ? due : seconds) + step
        return true
    }

    /// Leaving out what no picture refers to is free as long as enough are left.
    private func watchSkipping(_ seconds: Double) {
        guard maySkip, configuration.depth != .keyFrames else { return }
        guard let start = skipWindowStart, seconds > start else {
            skipWindowStart = seconds
            skipWindowPictures = 0
            return
        }
        skipWindowPictures += 1
        guard seconds - start >= MotionAnalyser.skipWindow else { return }
        if Double(skipWindowPictures) / (seconds - start) < 0.95 * configuration.parameters.rate {
            maySkip = false
            decoder?.skipsUnreferenced = false
        }
        skipWindowStart = seconds
        skipWindowPictures = 0
    }
}

/// CPU time of the calling thread.
enum CPUClock {
    static func threadNs() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
