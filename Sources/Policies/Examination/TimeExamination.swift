import Machines

/// Looks for times of events that cannot mean what they say, by trying them on the machine: at every moment of the week at which
/// the schedule changes something.
struct TimeExamination {
    let document: PolicyDocument
    let places: PolicyPlaces

    /// One moment of the week with the rules that hold then.
    private struct Interval {
        /// Minute of the week; nil when it holds without any schedule.
        let minute: Int?
        let policy: Policy

        var inWords: String {
            minute.map {
                " on \(Days.names[$0 / Days.minutesPerDay]) at \(ClockText.text(minute: $0 % Days.minutesPerDay))"
            } ?? ""
        }
    }

    /// What is found, each once for the key that is to blame.
    func findings() -> [Diagnostic] {
        var found: [Diagnostic] = []
        var seen: Set<String> = []
        var tried: [TimeControl: PolicySimulation] = [:]
        for interval in intervals {
            let times = interval.policy.timeControl
            let simulation = tried[times] ?? PolicySimulation.steadyMovement(interval.policy)
            tried[times] = simulation
            for finding in [initial(interval), blind(interval, simulation), reach(interval, simulation)].compactMap({
                $0
            }
            )
            where seen.insert("\(finding.keyPath) \(finding.rule?.rawValue ?? "")").inserted {
                found.append(finding)
            }
        }
        return found
    }

    private var intervals: [Interval] {
        let base = document.recording.policy(offBySchedule: false, zones: [])
        return [Interval(minute: nil, policy: base)]
            + document.boundaryMinutes.map { Interval(minute: $0, policy: document.policy(atMinuteOfWeek: $0)) }
    }

    private func initial(_ interval: Interval) -> Diagnostic? {
        let times = interval.policy.timeControl
        guard times.initialMs > times.maxMs else { return nil }
        let (key, place) = places.lastSetting(["maxEventLength", "initial"], at: interval.minute)
        let once = PolicySimulation.movement(atSeconds: [0], interval.policy, until: times.initialMs / 1_000 + 1)
        let end = once.events.first?.ended?.ms ?? times.maxMs
        return Diagnostic(
            place, .error, key, .initialOutlastsMax,
            "the initial \(DurationText.text(milliseconds: times.initialMs)) is longer than the maxEventLength \(DurationText.text(milliseconds: times.maxMs))\(interval.inWords)",
            "set initial to \(DurationText.text(milliseconds: times.maxMs)) or less, or a longer maxEventLength",
            [
                TraceLine("0 s", "movement: an event begins, to last \(seconds(times.initialMs))"),
                TraceLine(seconds(end), "the event ends at its max length"),
                TraceLine(seconds(times.initialMs), "until here it should have lasted"),
            ])
    }

    private func blind(_ interval: Interval, _ simulation: PolicySimulation) -> Diagnostic? {
        let times = interval.policy.timeControl
        let events = simulation.events
        guard interval.policy.mode != .off, times.blindMs > 0, events.count >= 2, let end = events[0].ended?.ms else {
            return nil
        }
        let next = events[1].began.ms
        let (recorded, missed) = (end - events[0].began.ms, next - end)
        guard times.blindMs > recorded else { return nil }
        let (key, place) = places.lastSetting(["blind"], at: interval.minute)
        let ignored = simulation.suppressed.map(\.at.ms).filter { $0 < next }
        let isMark = interval.policy.mode == .continuous
        return Diagnostic(
            place, isMark ? .warning : .error, key, .blindOutlastsEvent,
            "of a movement that goes on, \(seconds(recorded)) are \(isMark ? "marked" : "recorded") and the next \(seconds(missed)) are missed\(interval.inWords)",
            "set blind to \(DurationText.text(milliseconds: recorded)) or less, or let events last longer",
            [
                TraceLine("0 s", "movement: event 1 begins"),
                TraceLine("1 s", "the movement goes on, and is seen each second"),
                TraceLine(
                    seconds(end),
                    "event 1 ends (\(events[0].why?.rawValue ?? "")), its clip is stored; blind until \(seconds(end + times.blindMs))"
                ),
                TraceLine(
                    ignored.first.map { seconds($0) } ?? "",
                    "movement is ignored, \(ignored.count) times until \(seconds(ignored.last ?? end))"),
                TraceLine(seconds(next), "movement: event 2 begins"),
            ])
    }

    private func reach(_ interval: Interval, _ simulation: PolicySimulation) -> Diagnostic? {
        let times = interval.policy.timeControl
        guard interval.policy.mode != .off, let first = simulation.events.first, let end = first.ended?.ms,
            end < times.maxMs,
            times.initialMs <= times.maxMs
        else { return nil }
        let (key, place) = places.lastSetting(["augmentation", "initial", "maxEventLength"], at: interval.minute)
        return Diagnostic(
            place, .warning, key, .maxNeverReached,
            "an event ends after \(seconds(end)) though the movement goes on; its maxEventLength \(DurationText.text(milliseconds: times.maxMs)) is never reached\(interval.inWords)",
            "set a longer augmentation, or initial to the maxEventLength",
            [
                TraceLine("0 s", "movement: event 1 begins, and the movement is seen each second"),
                TraceLine(seconds(end), "event 1 ends (\(first.why?.rawValue ?? ""))"),
            ]
                + simulation.events.dropFirst().prefix(1).map {
                    TraceLine(seconds($0.began.ms), "movement: event 2 begins")
                })
    }

    private func seconds(_ milliseconds: Int64) -> String { "\(milliseconds / 1_000) s" }
}
