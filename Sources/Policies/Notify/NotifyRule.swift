public import Foundation
public import Machines

/// One entry of a policy's list `notify`: who is told of which events, and when.
public struct NotifyRule: Hashable, Sendable {
    /// What of an event is told.
    public enum Moment: String, Hashable, Sendable, CaseIterable {
        /// That it began.
        case begin
        /// That it ended.
        case end
    }

    /// The names of the receivers.
    public let receivers: [String]
    /// What of an event is told.
    public let moments: Set<Moment>
    /// The causes whose events count; empty for every one.
    public let causes: Set<ClipCause>
    /// The levels of detections whose events count; what has no level always counts. Empty for every one.
    public let levels: Set<Sensitivity>
    /// The labels of which one must be recognised; the event is told when the first is. Empty: it is told when it begins.
    public let labels: Set<String>
    /// Times of the week at which nothing is told.
    public let quiet: [WeekHours]
    /// Events of one camera are told to one receiver at least so far apart, in milliseconds; 0 for every one.
    public let atMostEveryMs: Int64

    /// The rule in a sentence.
    var inWords: String {
        let causes = causes.map(\.rawValue).sorted().joined(separator: ", ")
        let levels = levels.sorted().map { "\($0.rawValue)" }.joined(separator: ", ")
        let what = Moment.allCases.filter(moments.contains).map { "\($0)s" }.joined(separator: " and ")
        let labels = labels.sorted().joined(separator: ", ")
        let quiet = quiet.map {
            "\($0.days == .daily ? "" : $0.days.inWords + " ")\(ClockText.text(minute: $0.fromMinute))–\(ClockText.text(minute: $0.toMinute))"
        }.joined(separator: ", ")
        return "Tells \(receivers.joined(separator: ", ")) when an event \(what)"
            + (labels.isEmpty ? "" : ", once it has label \(labels)")
            + (causes.isEmpty ? "" : ", if begun by \(causes)") + (levels.isEmpty ? "" : ", if of level \(levels)")
            + (quiet.isEmpty ? "" : ", not \(quiet)")
            + (atMostEveryMs == 0 ? "." : ", at most every \(DurationText.inWords(atMostEveryMs)).")
    }

    /// Whether a moment of an event is told at a moment of wall time (milliseconds since 1970-01-01 UTC). Pure.
    ///
    /// - Parameter label: what is recognised in this moment; nil: the event begins or ends.
    public func tells(
        _ moment: Moment, cause: ClipCause, level: Sensitivity?, label: String? = nil, atUnixMs wallMs: Int64,
        in zone: TimeZone
    ) -> Bool {
        let isMoment = label.map(labels.contains) ?? (moment == .end || labels.isEmpty)
        return isMoment && moments.contains(moment) && (causes.isEmpty || causes.contains(cause))
            && (levels.isEmpty || level.map(levels.contains) ?? true) && !quiet.cover(atUnixMs: wallMs, in: zone)
    }
}
