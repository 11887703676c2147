public import Replay

extension Narrator {
    /// What cannot be known, and for how long.
    public func words(_ unknown: Unknown) -> String {
        let length = Self.length(unknown.ms)
        let first = unknown.times.first.map { time(wallMs: $0.lowerBound) } ?? ""
        let last = unknown.times.last.map { time(wallMs: $0.upperBound) } ?? ""
        switch unknown.kind {
        case .beforeTrace: return "the trace begins at \(last): nothing is known of \(length) before"
        case .afterTrace: return "the trace ends at \(first): nothing is known of \(length) since"
        case .recorderDown:
            return "\(length) (\(Self.times(unknown))) Vigil was not running, or the camera was not configured"
        case .broken: return "\(length) (\(Self.times(unknown))) records of the trace are missing or differ"
        case .unreachable:
            return "\(length) (\(Self.times(unknown))) the camera could not be reached: no policy records then, and "
                + "nothing was noticed"
        case .unasked:
            return
                "\(length) (\(Self.times(unknown))) no connection was wanted: for a policy that wants one the camera is "
                + "taken as reachable, and nobody saw what moved"
        case .privacy:
            return "\(length) (\(Self.times(unknown))) privacy covered the camera: what moved was not looked at"
        case .rested:
            return
                "\(length) (\(Self.times(unknown))) movement that went on was told less often than this policy "
                + "prolongs: its events may have been longer"
        case .withoutDetections:
            return "no detection at all is in what was read; the trace does not tell whether a detector ran"
        case .withoutTimes: return "a part of the trace has no times of day and was left out"
        }
    }

    private static func times(_ unknown: Unknown) -> String {
        unknown.times.count == 1 ? "once" : "\(unknown.times.count) times"
    }
}
