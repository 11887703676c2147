internal import Machines
internal import Replay
public import Trace

/// Reads histories out of a trace: runs every machine again, and keeps what happened to its camera.
public struct CameraHistoryReader: Sendable {
    /// The histories, in the order in which they began.
    private(set) var histories: [CameraHistory] = []

    private struct Place {
        var machine: Camera?
        var history: Int?
        /// The occurrence of the dial that began after nobody wanted a link.
        var freshDial: Int?
    }

    private var site = SiteReplay()
    private var places: [Int: Place] = [:]
    private var latest: [String: Int] = [:]

    /// Nothing read.
    public init() {}

    /// The histories of one camera.
    func histories(of camera: String) -> [CameraHistory] { histories.filter { $0.camera == camera } }

    /// The cameras that were met, by name.
    public var cameras: [String] { Set(site.replays.map(\.camera)).sorted() }

    /// Takes the next record.
    public mutating func take(_ record: TraceRecord) {
        let (verdict, number) = site.take(record)
        var place = places[number] ?? Place()
        let after = site.replays[number].machine
        switch verdict {
        case .repeated, .late: return
        case .agrees:
            if let history = place.history, let before = place.machine, let step = site.replays[number].lastStep,
                let after
            {
                histories[history].walls.note(at: record.at, wallMs: record.wallMs)
                extend(history, &place, step, before, after)
            } else {
                begin(&place, record, after)
            }
        case .differs, .adopted, .unchecked: begin(&place, record, after)
        }
        place.machine = after
        places[number] = place
    }

    private mutating func begin(_ place: inout Place, _ record: TraceRecord, _ machine: Camera?) {
        if let history = place.history, histories[history].ending == .open { histories[history].ending = .broken }
        place = Place()
        guard let machine else { return }
        if let history = latest[record.camera], histories[history].ending == .open {
            histories[history].ending = .cutOff
        }
        var history = CameraHistory(from: record, machine, isWhole: record.seq == 1)
        history.walls.note(at: record.at, wallMs: record.wallMs)
        histories.append(history)
        place.history = histories.count - 1
        latest[record.camera] = histories.count - 1
    }

    private mutating func extend(
        _ history: Int, _ place: inout Place, _ step: Step, _ before: Camera, _ after: Camera
    ) {
        histories[history].end = step.at
        histories[history].silentUntil = after.nextDeadline
        noteLink(history, &place, at: step.at, before, after)
        switch step.event {
        case .detected, .asserted, .cleared, .commanded, .enabled, .policy, .privacy, .storage, .viewers:
            histories[history].occurrences.append((step.at, .event(step.event)))
        case .tick, .dialed, .dialFailed, .keyframe, .packets, .lost, .hungUp, .opened, .openFailed, .keyframeMissing,
            .cut, .streamChanged, .writeFailed, .closed, .connect, .drain:
            break
        }
        noteDetection(history, step)
        noteMedia(history, step)
        histories[history].labels.note(after.coverage, at: step.at)
        histories[history].intents.note(after.intent, at: step.at)
        if after.stopped { histories[history].ending = .stopped }
    }

    /// A dial that begins because something asked for it says nothing about the time before, unless it fails.
    private mutating func noteLink(
        _ history: Int, _ place: inout Place, at now: Instant, _ before: Camera, _ after: Camera
    ) {
        let (was, becomes) = (CameraHistory.Connection(before), CameraHistory.Connection(after))
        histories[history].connection.note(becomes, at: now)
        switch (was, becomes) {
        case (.up, .up), (.unasked, .unasked), (.up, .unasked): break
        case (.unasked, .down) where after.link.phase == .dialing:
            place.freshDial = histories[history].occurrences.count
            histories[history].occurrences.append((now, .connecting))
        case (.unasked, .down), (.up, .down): histories[history].occurrences.append((now, .reachable(false)))
        case (.down, .down):
            guard let dial = place.freshDial, after.link.phase == .waiting else { break }
            histories[history].occurrences[dial].what = .reachable(false)
            place.freshDial = nil
        case (.down, .up), (.down, .unasked), (.unasked, .up):
            place.freshDial = nil
            histories[history].occurrences.append((now, .reachable(true)))
        }
    }

    private mutating func noteDetection(_ history: Int, _ step: Step) {
        guard case .detected(let level, let zones) = step.event else { return }
        var why: Camera.Suppression?
        for case .report(.suppressed(_?, let suppression)) in step.effects { why = suppression }
        histories[history].notices.append(CameraHistory.Notice(at: step.at, level: level, zones: zones, why: why))
    }

    private mutating func noteMedia(_ history: Int, _ step: Step) {
        for effect in step.effects {
            switch effect {
            case .report(.clipOpened(let number, let start, _)):
                histories[history].media.append(CameraHistory.Media(number: number, start: start, end: nil))
            case .report(.clipEnded(let number, _)):
                guard let index = histories[history].media.lastIndex(where: { $0.number == number }) else { break }
                histories[history].media[index].end =
                    switch step.event {
                    case .cut(number, let at), .streamChanged(number, let at): at
                    default: step.at
                    }
            default: break
            }
        }
    }
}
