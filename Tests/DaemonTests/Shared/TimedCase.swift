import Foundation

/// One camera under a policy of its own, what happens before it, and what is to come of that.
struct TimedCase: Sendable {
    /// An event that is expected.
    struct Expected: Sendable {
        /// In seconds; nil where it is not known beforehand.
        var length: Int?
        var ended: [String]
        var cause = "detection"
        /// How many detections it counts; nil where the detector decides that.
        var detections: Int?
    }

    /// The camera's name.
    var name: String
    /// Initial, augmentation, max event length, blind, in seconds.
    var times: (i: Int, a: Int, m: Int, b: Int)
    /// Whether the camera's own detector looks; else every detection is given by command.
    var looks = true
    /// Whether a zone in which nothing moves keeps the detector from resting; see `Scene`.
    var isZoned = true
    /// In seconds.
    var preRoll = 4
    var expected: [Expected]
    /// What happens; on a thread of its own.
    var script: @Sendable (CaseDriver) throws -> Void

    /// The policy's file.
    var policy: String {
        """
        name: \(name)
        recording: { mode: event, initial: \(times.i)s, augmentation: \(times.a)s, maxEventLength: \(times.m)s, \
        blind: \(times.b)s, preRoll: \(preRoll)s }

        """
    }
}

/// An event as `vigil events --json` tells it.
struct ReportedEvent: Decodable, Sendable {
    struct Suppressed: Decodable, Sendable {
        let why: String
        let count: Int
    }

    let camera, cause, start, bootId: String
    let startedMonotonicMs, detections: Int
    let end, ended: String?
    let clips: [Int]
    let suppressed: [Suppressed]
}

/// A clip as `vigil clips --json` tells it.
struct ReportedClip: Decodable, Sendable {
    let id, startedMonotonicMs: Int
    let start: String
    let end, ended: String?
    let chainedTo: Int?
}

/// How long something was that has ended, in milliseconds; its begin and end as listings tell them.
func lengthMs(_ start: String, _ end: String?) throws -> Int {
    guard let end else { throw CocoaError(.coderValueNotFound) }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let seconds = try Date(end, strategy: style).timeIntervalSince(Date(start, strategy: style))
    return Int((seconds * 1_000).rounded())
}

/// What came of a case.
struct Outcome: Sendable {
    let timedCase: TimedCase
    let events: [ReportedEvent]
    let clips: [ReportedClip]
    /// When the scene was switched in this performance, in milliseconds since boot.
    let switches: [Int]
    /// See `CaseDriver`; of the last performance.
    let offMs: Int
    let performances: Int
}
