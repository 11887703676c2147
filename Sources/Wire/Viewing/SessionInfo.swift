public import Machines

/// One viewer's session, as `GET /v1/sessions` tells it. The words of `phase` are those of the machine's phases
/// (docs/design/session.md).
public struct SessionInfo: Hashable, Sendable, Codable {
    /// How playback finished by itself.
    public struct Finish: Hashable, Sendable, Codable {
        /// `hole` or `end`.
        public var why: String
        /// Where the next clip of the day begins; at a hole only.
        public var next: WallTime?

        /// A finish.
        public init(why: String, next: WallTime? = nil) {
            self.why = why
            self.next = next
        }
    }

    /// Its id, drawn at random.
    public var session: String
    /// The camera's name.
    public var camera: String
    /// Who opened it, as the journal names them.
    public var by: String
    /// `idle`, `startingPreview`, `previewing`, `startingPlayback`, `playing`, `paused` or `ended`.
    public var phase: String
    /// Since when the phase holds.
    public var since: WallTime
    /// Why it ended; absent while it has not. An ended session can be asked about for a minute.
    public var ended: Session.Ending?
    /// When it ends unless it is extended; absent while nothing limits it.
    public var expires: WallTime?
    /// How long until then, in milliseconds.
    public var leftMs: Int64?
    /// Whether the viewer is connected to the camera's streams and clips.
    public var connected: Bool
    /// The step whose outcome is awaited.
    public var pending: Session.Step?
    /// How fine the live picture is; absent without one.
    public var definition: Session.Definition?
    /// How fine the live picture is that is shown instead, while the viewer's network cannot carry that one; absent otherwise.
    public var shown: Session.Definition?
    /// Whether the sound of what is shown is heard.
    public var sound: Bool
    /// Whether the viewer is heard at the camera.
    public var talk: Bool
    /// Whether what is shown is recorded for the viewer.
    public var record: Bool
    /// The day whose clips may be played.
    public var day: CalendarDay?
    /// The clip that is shown.
    public var clip: Int64?
    /// The moment that is shown.
    public var position: WallTime?
    /// How fast it is played.
    public var speed: Double?
    /// Whether playback goes on over holes to the end of the day; while a clip is shown or being started.
    public var overHoles: Bool?
    /// How the last playback finished by itself; absent since another began.
    public var finished: Finish?
    /// The days with recordings; in the answer to `days` only.
    public var days: [CalendarDay]?
    /// The clips of the day; in the answer to `clips` only.
    public var clips: [ClipInfo]?

    /// A session that shows nothing.
    public init(session: String, camera: String, by: String, phase: String, since: WallTime, connected: Bool = false) {
        self.session = session
        self.camera = camera
        self.by = by
        self.phase = phase
        self.since = since
        self.connected = connected
        sound = false
        talk = false
        record = false
    }
}
