internal import Journal
internal import Machines
public import Replay

extension Narrator {
    /// A moment of wall time, milliseconds since 1970.
    public func time(wallMs: Int64) -> String { time(at: Instant(ms: wallMs), wallMs: wallMs) }

    /// What the moment was, by the trace.
    public func label(_ explanation: Explanation) -> String {
        switch explanation.label {
        case .known(let label): return Vocabulary.words(label)
        case .unknown(let why): return "not known: " + Self.words(why)
        }
    }

    /// Why the trace does not tell.
    public static func words(_ why: Explanation.Ignorance) -> String {
        switch why {
        case .noTrace: "no trace of the camera was read"
        case .beforeTrace: "the trace that was read begins later"
        case .afterTrace: "the trace ends before that moment, and a deadline of the machine has passed since"
        case .broken: "records of the trace are missing or differ, and no whole state follows them before that moment"
        }
    }

    /// A condition that failed.
    public func words(_ condition: Condition) -> String {
        switch condition {
        case .toggle: "the recording toggle was off"
        case .privacy: "a privacy switch covered the recording"
        case .mode: "the policy's mode was off"
        case .schedule: "the schedule of the policy had switched recording off"
        case .storage: "nothing could be written"
        case .draining: "Vigil was stopping, or the camera was taken out of the configuration"
        case .event: "event mode, and no event was active"
        case .sensitivity: "detections near that moment were too weak for the policy's sensitivity"
        case .zone: "detections near that moment were in no zone of the policy"
        case .blind: "the blind time after an event suppressed detections"
        case .link: "a connection was wanted, and there was none"
        case .keyFrame: "the camera was connected, and no key frame had come that a clip could begin with"
        case .onDemand: "the connection is made on demand, and nothing asked for it"
        case .retry: "the last clip had failed, and the wait before the next try was not over"
        case .closing: "two clips were still being closed"
        case .opening: "a clip was just being opened"
        }
    }

    /// A change, as an owner would make it.
    public func words(_ change: Change, _ explanation: Explanation) -> String {
        switch change {
        case .enable: return "the recording toggle on"
        case .privacyOff: return "privacy off"
        case .sensitivity(let sensitivity): return "sensitivity \(sensitivity.rawValue)"
        case .maxLength(let ms): return "max event length \(ms / 1_000) s"
        case .noBlindTime: return "no blind time"
        case .preRoll(let ms): return "pre-roll of \(ms / 1_000) s"
        case .anywhere: return "movement anywhere in the picture counts"
        case .alwaysConnected: return "connection always"
        case .mode(let mode, let interval):
            guard interval != nil, let times = explanation.interval else { return "mode \(mode.rawValue)" }
            return "mode \(mode.rawValue) in the interval of the schedule from \(time(wallMs: times.lowerBound)) "
                + "to \(time(wallMs: times.upperBound))"
        }
    }

    /// What would have recorded the moment, in one sentence.
    public func remedy(_ explanation: Explanation) -> String {
        switch explanation.remedy {
        case .none: return "it was recorded"
        case .change(let changes):
            let words = changes.map { self.words($0, explanation) }.joined(separator: ", with ")
            return "the smallest change that would have recorded it: \(words)"
        case .noPolicy: return "no policy would have recorded it: " + hindrance(explanation)
        case .undecided:
            return
                "it cannot be told what would have recorded it: what was in force would have, simulated without the "
                + "delays of camera and disk"
        case .unknown: return "it cannot be told what would have recorded it"
        }
    }

    private func hindrance(_ explanation: Explanation) -> String {
        let found = explanation.failed
        if explanation.label == .known(.recorderDown) { return "Vigil was not running" }
        if found.contains(.storage) { return words(.storage) }
        if let clip = found.first(where: { [.retry, .closing, .opening].contains($0) }) { return words(clip) }
        if found.contains(.keyFrame) { return words(.keyFrame) }
        if found.contains(.link) || explanation.label == .known(.linkLost) { return "no media came from the camera" }
        return "the camera was not connected, or nothing could be written"
    }

    /// What is to be known beside the answer, and what cannot be.
    public func remarks(_ explanation: Explanation) -> [String] {
        var lines: [String] = []
        if let quiet = explanation.quiet, explanation.mayLackEvents {
            let time = "from \(time(wallMs: quiet.lowerBound)) to \(time(wallMs: quiet.upperBound))"
            lines.append(
                explanation.wasUnasked
                    ? "without a connection nothing could be noticed: no detection, source or command \(time)"
                    : "nothing was noticed: no detection, source or command \(time)")
            if case .change = explanation.remedy { lines.append("only continuous mode would have recorded it") }
        }
        if explanation.isWithoutDetections, explanation.mayLackEvents {
            lines.append("no detection at all is in what was read; the trace does not tell whether a detector ran")
        }
        if explanation.wasUnasked, case .change = explanation.remedy {
            lines.append("no connection was wanted then, so whether the camera could have been reached is not known")
        }
        return lines
    }
}

extension Explanation {
    /// The answer turns on whether something was noticed.
    var mayLackEvents: Bool {
        switch (remedy, label) {
        case (.change(let changes), _):
            changes.contains { if case .mode(.continuous, _) = $0 { true } else { false } }
        case (_, .known(.idle)): true
        default: false
        }
    }
}
