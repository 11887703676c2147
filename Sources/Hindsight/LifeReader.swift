public import Journal
internal import Machines
internal import Replay

/// Reads lives out of a trace: runs every machine again, and keeps what happened to its camera.
public struct LifeReader: Sendable {
    /// The lives, in the order in which they began.
    public private(set) var lives: [Life] = []

    private struct Place {
        var machine: Camera?
        var life: Int?
        /// The happening of the dial that began after nobody wanted a link.
        var freshDial: Int?
    }

    private var site = SiteReplay()
    private var places: [Int: Place] = [:]
    private var latest: [String: Int] = [:]

    /// Nothing read.
    public init() {}

    /// The lives of one camera.
    public func lives(of camera: String) -> [Life] { lives.filter { $0.camera == camera } }

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
            if let life = place.life, let before = place.machine, let step = site.replays[number].lastStep, let after {
                lives[life].walls.note(at: record.at, wallMs: record.wallMs)
                extend(life, &place, step, before, after)
            } else {
                begin(&place, record, after)
            }
        case .differs, .adopted, .unchecked: begin(&place, record, after)
        }
        place.machine = after
        places[number] = place
    }

    private mutating func begin(_ place: inout Place, _ record: TraceRecord, _ machine: Camera?) {
        if let life = place.life, lives[life].ending == .open { lives[life].ending = .broken }
        place = Place()
        guard let machine else { return }
        if let life = latest[record.camera], lives[life].ending == .open { lives[life].ending = .cutOff }
        var life = Life(from: record, machine, isWhole: record.seq == 1)
        life.walls.note(at: record.at, wallMs: record.wallMs)
        lives.append(life)
        place.life = lives.count - 1
        latest[record.camera] = lives.count - 1
    }

    private mutating func extend(
        _ life: Int, _ place: inout Place, _ step: Step, _ before: Camera, _ after: Camera
    ) {
        lives[life].end = step.at
        lives[life].silentUntil = after.nextDeadline
        noteLink(life, &place, at: step.at, before, after)
        switch step.event {
        case .detected, .asserted, .cleared, .commanded, .enabled, .policy, .privacy, .storage, .viewers:
            lives[life].happenings.append((step.at, .event(step.event)))
        case .tick, .dialed, .dialFailed, .keyframe, .packets, .lost, .hungUp, .opened, .openFailed, .cut,
            .streamChanged, .writeFailed, .closed, .connect, .drain:
            break
        }
        noteDetection(life, step)
        noteMedia(life, step)
        lives[life].labels.note(after.coverage, at: step.at)
        lives[life].intents.note(after.intent, at: step.at)
        if after.stopped { lives[life].ending = .stopped }
    }

    /// A dial that begins because something asked for it says nothing about the time before, unless it fails.
    private mutating func noteLink(
        _ life: Int, _ place: inout Place, at now: Instant, _ before: Camera, _ after: Camera
    ) {
        let (was, becomes) = (Life.Connection(before), Life.Connection(after))
        lives[life].connection.note(becomes, at: now)
        switch (was, becomes) {
        case (.up, .up), (.unasked, .unasked), (.up, .unasked): break
        case (.unasked, .down) where after.link.phase == .dialing:
            place.freshDial = lives[life].happenings.count
            lives[life].happenings.append((now, .connecting))
        case (.unasked, .down), (.up, .down): lives[life].happenings.append((now, .reachable(false)))
        case (.down, .down):
            guard let dial = place.freshDial, after.link.phase == .waiting else { break }
            lives[life].happenings[dial].what = .reachable(false)
            place.freshDial = nil
        case (.down, .up), (.down, .unasked), (.unasked, .up):
            place.freshDial = nil
            lives[life].happenings.append((now, .reachable(true)))
        }
    }

    private mutating func noteDetection(_ life: Int, _ step: Step) {
        guard case .detected(let level, let zones) = step.event else { return }
        var why: Camera.Suppression?
        for case .report(.suppressed(_, let suppression)) in step.effects { why = suppression }
        lives[life].notices.append(Life.Notice(at: step.at, level: level, zones: zones, why: why))
    }

    private mutating func noteMedia(_ life: Int, _ step: Step) {
        for effect in step.effects {
            switch effect {
            case .report(.clipOpened(let number, let start, _)):
                lives[life].media.append(Life.Media(number: number, start: start, end: nil))
            case .report(.clipEnded(let number, _)):
                guard let index = lives[life].media.lastIndex(where: { $0.number == number }) else { break }
                lives[life].media[index].end =
                    switch step.event {
                    case .cut(number, let at), .streamChanged(number, let at): at
                    default: step.at
                    }
            default: break
            }
        }
    }
}
