internal import Catalog
internal import Machines
internal import Media
internal import Server

/// One viewer: the machine of its session and what it holds. Confined to `Sessions`.
final class Viewer {
    /// What becomes of an order that somebody waits for.
    enum Outcome: Sendable {
        /// It was carried out.
        case done(Lists)
        /// It could not be.
        case failed(Session.Failure)
        /// Something else came before: another request, or the session's end.
        case givenUp
    }

    /// What was listed.
    struct Lists: Sendable {
        var days: [CalendarDay]?
        var clips: [ClipInfo]?
    }

    /// Somebody who waits.
    struct Waiting {
        let order: Session.OrderNumber
        let continuation: CheckedContinuation<Outcome, Never>
    }

    let id: String
    let camera: String
    /// Who opened it, as the journal names them.
    let by: String
    /// Whose places it takes.
    let owner: String
    /// Whether it is that of a player that knows no session.
    let isPlayer: Bool
    /// Whether such a player wants sound, so that it is there when the picture is.
    var wantsSound = false
    /// The form in which the live sound is heard.
    var soundForm = SoundForm.stored
    /// Whether such a player asks for one picture after another.
    var wantsStills = false
    /// The day that such a player asks for.
    var plays: Session.Day?
    let opened: Instant
    /// Wakes it for its deadlines, and to be forgotten.
    let timer: any WakeTimer
    /// Wakes it at the end of the clip. Like the next one made when it is first set: most viewers look at what is live, and record
    /// nothing.
    private(set) lazy var clipTimer = makeClipTimer()
    /// Wakes it to record on.
    private(set) lazy var recordTimer = makeRecordTimer()
    private let makeClipTimer, makeRecordTimer: () -> any WakeTimer
    var machine: Session
    var seq: UInt64 = 0
    var last: Instant
    /// Since when the phase holds.
    var since: Instant
    var waiting: Waiting?
    /// What the order that is under way has listed.
    var lists = Lists()
    var picture: LivePicture?
    /// The order of a picture that came before the camera's first step.
    var early: (number: Session.OrderNumber, definition: Session.Definition)?
    /// What is to be played when the order that is under way is done.
    var prepared: PlaybackClock?
    var playback: PlaybackClock?
    /// The clip that follows, or lies behind the hole, found when the one before ended.
    var nextClip: (clip: Clip, endMs: Int64)?
    var finished: SessionInfo.Finish?
    /// Since when it records, milliseconds since 1970.
    var recordsSinceMs: Int64?
    /// Whether it can be heard; nil where it does not take the picture by WebRTC.
    var voice: PeerVoice.Way?
    /// In which format the camera takes what it says, and why that failed last.
    var talkFormat, talkProblem: String?
    /// Records of the journal within the present minute, and how many more there would have been.
    var told = (since: Instant(ms: 0), count: 0, leftOut: 0)

    init(
        id: String, camera: String, by: String, owner: String, isPlayer: Bool, machine: Session, now: Instant,
        timer: any WakeTimer,
        clipTimer: @escaping () -> any WakeTimer, recordTimer: @escaping () -> any WakeTimer
    ) {
        self.id = id
        self.camera = camera
        self.by = by
        self.owner = owner
        self.isPlayer = isPlayer
        self.machine = machine
        (opened, last, since) = (now, now, now)
        self.timer = timer
        makeClipTimer = clipTimer
        makeRecordTimer = recordTimer
    }

    /// When the time of a player that sees the live picture is prolonged if it looks on; nil for every other session.
    private var prolongs: Instant? {
        guard isPlayer, machine.phase == .previewing, let left = machine.left else { return nil }
        return left + -(machine.bounds.durationMs / 2)
    }

    /// Whether its time is to be prolonged: a player that takes what is sent, or asks for one picture after another, asks for
    /// more as it can.
    func isProlonged(at now: Instant) -> Bool {
        guard let prolongs, prolongs <= now else { return false }
        return wantsStills || picture?.isTaken == true
    }

    /// When there is something to do for it after `now`, but for its clip.
    func wakes(after now: Instant) -> Instant? {
        if machine.hasEnded { return since + Sessions.keptMs }
        guard let prolongs, prolongs > now else { return machine.nextDeadline }
        return min(prolongs, machine.nextDeadline ?? prolongs)
    }

    /// Its name in the trace.
    var name: String { "\(camera)/\(id)" }

    /// What others may see of it at any moment.
    struct View: Sendable {
        let id, camera, by, owner: String
        let machine: Session
        let since: Instant
        let playback: PlaybackClock?
        let finished: SessionInfo.Finish?
        /// The stream that is shown in the place of the one that is wished.
        let carried: StreamName?
    }

    /// As it is now.
    var view: View {
        View(
            id: id, camera: camera, by: by, owner: owner, machine: machine, since: since, playback: playback,
            finished: finished, carried: machine.isLive ? picture?.carried : nil)
    }
}
