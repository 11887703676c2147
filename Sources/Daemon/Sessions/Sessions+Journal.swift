internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server

/// What sessions tell the journal: each report is one record (S11), up to a bound in a minute.
extension Sessions {
    /// The most records of one session in a minute.
    static let recordsMax = 60

    func tell(_ effect: Session.Effect, of event: Session.Event, _ viewer: Viewer, at now: Instant) {
        switch effect {
        case .report(let report): tell(report, viewer, at: now)
        case .refused(let step, let why):
            send(.sessionRefused, [(.request, step.rawValue), (.why, why.rawValue)], viewer, at: now)
        case .ignored(let why):
            guard why != .duplicate, why != .notLimited else { return }
            send(.machineIgnored, [(.event, event.name), (.why, why.rawValue)], viewer, at: now)
        default: break
        }
    }

    private func tell(_ report: Session.Report, _ viewer: Viewer, at now: Instant) {
        switch report {
        case .previewing(let definition):
            send(.sessionLive, [(.to, definition.rawValue), (.user, viewer.by)], viewer, at: now)
        case .playing:
            let clock = viewer.playback
            let from = clock.map { WallTime(ms: $0.positionMs(at: now)).rfc3339 }
            send(
                .sessionPlaying,
                [(.user, viewer.by), (.clip, clock.map { "\($0.clip.id)" } ?? ""), (.from, from ?? "")], viewer,
                at: now)
        case .talkOn:
            send(.sessionTalking, [(.user, viewer.by), (.codec, viewer.talkFormat ?? "")], viewer, at: now)
        case .recordOn: send(.sessionRecording, [(.user, viewer.by)], viewer, at: now)
        case .failed(let step, let why):
            send(.sessionFailed, [(.request, step.rawValue), (.why, why.rawValue)], viewer, at: now)
        case .ended(let why):
            let leftOut = viewer.told.leftOut
            viewer.told = (now, 0, 0)
            send(
                .sessionEnded,
                [(.why, why.rawValue), (.durationMs, "\(now - viewer.opened)")]
                    + (leftOut > 0 ? [(.count, "\(leftOut)")] : []), viewer, at: now)
        case .connected, .paused, .stopped, .finished, .lost, .definition, .soundOn, .days, .clips, .extended:
            send(.sessionChanged, [(.to, Self.words(report))], viewer, at: now)
        }
    }

    private static func words(_ report: Session.Report) -> String {
        switch report {
        case .finished(.hole): "finished at a hole"
        case .finished(.end): "finished at the end of the day"
        case .definition(let definition): "shown in \(definition.rawValue)"
        case .soundOn: "sound on"
        case .days: "days listed"
        case .clips(let day): "clips of \(CalendarDay(number: day.rawValue).map { "\($0)" } ?? "a day") listed"
        case .lost: "connection lost"
        case .connected: "connected"
        case .paused: "paused"
        case .stopped: "stopped"
        case .extended: "extended"
        case .previewing, .playing, .talkOn, .recordOn, .failed, .ended: ""
        }
    }

    func send(_ kind: MessageKind, _ fields: [(Field, String)], _ viewer: Viewer, at now: Instant) {
        if now - viewer.told.since >= 60_000 { (viewer.told.since, viewer.told.count) = (now, 0) }
        viewer.told.count += 1
        guard viewer.told.count <= Self.recordsMax else {
            viewer.told.leftOut += 1
            return
        }
        journal.send(kind, camera: viewer.camera, fields: fields + [(.session, viewer.id)])
    }
}

extension Session.Event {
    /// The event's name, as in VIGIL_EVENT.
    var name: String {
        switch self {
        case .tick: "tick"
        case .request(let request): request.step.rawValue
        case .did: "did"
        case .failed: "failed"
        case .clipEnded: "clipEnded"
        case .connectionLost: "connectionLost"
        case .privacy: "privacy"
        case .close: "close"
        case .drain: "drain"
        }
    }
}
