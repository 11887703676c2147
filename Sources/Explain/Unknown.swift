internal import Machines
internal import Policies

/// Something that no simulation can know, and for how long.
public struct Unknown: Sendable, Hashable {
    /// What it is.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// No record of the camera is as old as was asked for.
        case beforeTrace
        /// The last record is older than was asked for.
        case afterTrace
        /// Vigil was not running, or the camera was not configured.
        case recorderDown
        /// Records are missing, or differ from what the machine answers.
        case broken
        /// The camera could not be reached: no policy records, and nothing was noticed.
        case unreachable
        /// Nothing wanted a connection: whether the camera could be reached, and what moved, nobody saw.
        case unasked
        /// Privacy covered the camera: what moved was not looked at.
        case privacy
        /// The detector rested for longer than the policy that is simulated would have let it: what went on moving was told more seldom
        /// than it prolongs.
        case rested
        /// No detection at all was read: perhaps no detector ran.
        case withoutDetections
        /// A stretch of the trace without times of day, which was left out.
        case withoutTimes
    }

    /// What it is.
    public let kind: Kind
    /// The stretches, milliseconds since 1970, in order; empty where it concerns the whole.
    public let times: [Range<Int64>]

    /// For how long, in milliseconds.
    public var ms: Int64 { times.reduce(0) { $0 + Int64($1.count) } }

    /// What cannot be known of one camera in `time`, by its histories, when `policies` are simulated instead of those in force; none where
    /// those are kept in what the detector follows.
    public static func all(
        _ histories: [CameraHistory], time: Range<Int64>,
        policies: (CameraHistory) -> [CameraHistory.PolicyChange] = { _ in [] }
    ) -> [Unknown] {
        var times: [Kind: [Range<Int64>]] = [:]
        func note(_ kind: Kind, _ from: Int64?, _ to: Int64?) {
            guard let from, let to, from < to else { return }
            let within = (from..<to).clamped(to: time)
            if !within.isEmpty { times[kind, default: []].append(within) }
        }
        let timed = histories.filter { $0.beginWallMs != nil }
        note(.beforeTrace, time.lowerBound, timed.first?.beginWallMs ?? time.upperBound)
        for (history, next) in zip(timed, timed.dropFirst()) {
            note(history.ending == .broken ? .broken : .recorderDown, history.endWallMs, next.beginWallMs)
        }
        if let last = timed.last, let end = last.endWallMs {
            let reach =
                last.ending == .open
                ? (Instant(ms: end) + CameraHistory.lateMs + (last.silentUntil.map { $0 - last.end } ?? .max / 4)).ms
                : end
            note(last.ending == .stopped ? .recorderDown : .afterTrace, reach, time.upperBound)
        }
        for history in timed {
            func spans(_ kind: Kind, _ spans: [Range<Instant>]) {
                for span in spans {
                    note(kind, history.walls.wallMs(at: span.lowerBound), history.walls.wallMs(at: span.upperBound))
                }
            }
            spans(.unreachable, history.connection.spans(until: history.end) { $0 == .down })
            spans(.unasked, history.connection.spans(until: history.end) { $0 == .unasked })
            spans(.privacy, history.intents.spans(until: history.end, where: \.blocked))
            if let restMs = policies(history).map(\.policy.restMs).min(), !history.notices.isEmpty {
                spans(.rested, history.intents.spans(until: history.end) { $0.policy.restMs > restMs })
            }
        }
        if timed.allSatisfy(\.notices.isEmpty) { times[.withoutDetections] = [] }
        if timed.count < histories.count { times[.withoutTimes] = [] }
        return Kind.allCases.compactMap { kind in times[kind].map { Unknown(kind: kind, times: $0) } }
    }
}
