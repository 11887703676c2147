import Machines

/// Gives access units their times and hands them over as frames.
final class VideoTrack {
    private struct Pending {
        let unit: AssembledUnit
        let wallClockMs: Int64?
        let durationTicks: Int64?
        let configuration: TrackConfiguration
    }

    static let timescale: Int32 = 90_000

    let ordinal: Int
    private let codec: TrackCodec
    private let context: DialContext
    private var configuration: TrackConfiguration?
    /// The parameter sets in force.
    private var sets: ParameterSetStore
    /// Parameter sets that changed between two frames on which a clip can begin.
    private var changedSets: ChangedSets?
    /// Bytes of the frames that wait at the begin.
    private var heldBytes = 0
    private var order = DecodeOrder<Pending>(depth: nil, timescale: Int64(VideoTrack.timescale))

    init(ordinal: Int, codec: TrackCodec, sets: ParameterSetStore, context: DialContext) {
        self.ordinal = ordinal
        self.codec = codec
        self.context = context
        self.sets = sets
        configure(sets, at: nil)
    }

    /// What is known of the track before its first frame.
    static func parameters(_ codec: TrackCodec, _ sets: ParameterSetStore) -> TrackParameters? {
        guard sets.configuration != nil else { return nil }
        return TrackParameters(kind: .video, codec: codec, parameterSets: sets.all, timescale: timescale)
    }

    func accept(_ unit: AssembledUnit, durationTicks: Int64? = nil) {
        if let changed = unit.changedSets { changedSets = changed }
        // A change ends a clip, and the next must begin there. What comes before that lies in the frames themselves.
        if let changed = changedSets, configuration == nil || unit.opensClip {
            changedSets = nil
            configure(changed.sets, at: unit.context.arrival)
        } else if unit.opensClip, configuration?.parameters.rotation != context.sink.rotation {
            configure(sets, at: nil)
        }
        guard let configuration else {
            context.counts.undecodable += 1
            return
        }
        let arrival = unit.context.arrival
        let place = context.timeline.place(track: ordinal, raw: unit.context.stamp, arrival: arrival)
        context.note(place.repair, track: ordinal, at: arrival)
        let pending = Pending(
            unit: unit, wallClockMs: place.wallClockMs, durationTicks: durationTicks, configuration: configuration)
        if order.isHolding { heldBytes += unit.range.count }
        let mayWait = heldBytes <= context.limits.heldBytesMax
        order.push(pending, pts: place.pts, mayWait: mayWait) { deliver($0, pts: $1, dts: $2, isSqueezed: $3) }
    }

    /// The stream has ended: hands over what still waits.
    func flush() { order.flush { deliver($0, pts: $1, dts: $2, isSqueezed: $3) } }

    /// Takes the sets in force; `now`: where they came in the stream.
    private func configure(_ sets: ParameterSetStore, at now: Instant?) {
        self.sets = sets
        guard var parameters = VideoTrack.parameters(codec, sets) else { return }
        parameters.rotation = context.sink.rotation
        guard parameters != configuration?.parameters else { return }
        if configuration != nil, let now { context.noteChange(at: now) }
        configuration = TrackConfiguration(id: configuration.map { $0.id &+ 1 } ?? 0, parameters: parameters)
        guard let depth = sets.configuration?.reorderDepth else { return }
        order.setDepth(depth)
        context.timeline.setReorders(depth > 0, track: ordinal)
    }

    private func deliver(_ pending: Pending, pts: Int64, dts: Int64, isSqueezed: Bool) {
        let unit = pending.unit
        if isSqueezed {
            context.note(Repair(kind: .reordered, shiftMs: 0), track: ordinal, at: unit.context.arrival)
        }
        context.deliver(
            Frame(
                track: ordinal, kind: .video, dts: dts, pts: pts, durationTicks: pending.durationTicks,
                isKey: unit.isKey, isRecoveryPoint: unit.hasRecoveryPoint, isDamaged: unit.isDamaged,
                arrival: unit.context.arrival, wallClockMs: pending.wallClockMs, configuration: pending.configuration,
                storage: unit.range.slab, offset: unit.range.offset, count: unit.range.count,
                slack: unit.range.slack))
    }
}
