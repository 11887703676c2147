/// What the server asks of the daemon, in parts; each group of routes takes the part that it needs. The daemon is the only
/// real one; tests bring a small world of their own.
///
/// Every method may throw a `SiteError`, which is told to the caller word for word; any other error becomes a 500
/// without its text. Cameras and policies that do not exist are `SiteError.Kind.notFound`. The server has checked
/// rights, and ranges (limits, lengths, `from < to`), before it asks; a `CameraScope` is what the caller may know of, and an
/// answer holds nothing of any other camera.
public typealias Site =
    ReadingSite & FollowingSite & ExplainingSite & CommandSite & PolicySite & DiscoverySite & MediaSite & PlaybackSite
    & SessionSite & LiveSite & CloudSite & AccountSite & TransportSite & IngestSite

/// What there is: the daemon's state, and what was recorded.
public protocol ReadingSite: Sendable {
    /// Whether the daemon does its work; never fails, names nothing private.
    func health() async -> Health
    /// The daemon at a glance, its sums over the cameras of `scope`.
    func status(in scope: CameraScope) async throws -> SiteStatus
    /// The cameras by name.
    func cameras(in scope: CameraScope) async throws -> [CameraInfo]
    /// The states of the cameras by name.
    func states(in scope: CameraScope) async throws -> [CameraState]
    /// The state of one camera.
    func state(camera: String) async throws -> CameraState
    /// What a camera can show, and what can be asked of it.
    func capabilities(camera: String) async throws -> CameraCapabilities
    /// What is measured of the daemon and of every camera.
    func metrics() async throws -> [Metric]
    /// What became of each moment of `camera` from `from` to `to`, or to now where that is earlier. `invalid` where the
    /// answer would have more stretches than `CoverageReport.stretchesMax`.
    func coverage(camera: String, from: WallTime, to: WallTime) async throws -> CoverageReport
    /// One page of clips.
    func clips(_ filter: ListFilter, in scope: CameraScope) async throws -> Page<ClipInfo>
    /// One page of events.
    func events(_ filter: ListFilter, in scope: CameraScope) async throws -> Page<EventInfo>
    /// The detections of `camera` that did not count, whose runs began from `from` to `to`, by time.
    func suppressed(camera: String, from: WallTime, to: WallTime) async throws -> [SuppressedInfo]

    /// The camera of a clip; nil where there is none of this id.
    func camera(ofClip clip: Int64) async throws -> String?
    /// The camera of an event; nil where there is none of this id.
    func camera(ofEvent event: Int64) async throws -> String?
    /// The camera of a session; nil where there is none of this id.
    func camera(ofSession session: String) async throws -> String?

    /// What an operator should know about the cameras of `scope`, the newest first; where that is all, about the site too.
    func messages(in scope: CameraScope) async throws -> [MessageInfo]
    /// Who is told over HTTP, and what about the cameras of `scope`; where that is all, about the site too.
    func notifications(in scope: CameraScope) async throws -> NotificationList
    /// The camera of a message; nil where there is none of this id, and where it is about the site.
    func camera(ofMessage message: Int64) async throws -> String?
}

/// What happens.
public protocol FollowingSite: Sendable {
    /// The records of the journal as they come. `notFound` where one of `cameras` does not exist.
    func journal(of cameras: [String]?) async throws -> JournalFeed
}

/// Why something was or was not recorded, and what another policy would have recorded. Each question reads the trace once,
/// apart from the threads that asynchronous code shares. `unavailable` where too many questions are under way, `tooLarge`
/// where one would look at more than `ExplanationBounds` allows, `failed` where the trace cannot be read.
public protocol ExplainingSite: Sendable {
    /// Why `camera` was or was not recorded at a moment that has come, and what would have recorded it.
    func why(camera: String, at moment: WallTime) async throws -> WhyAnswer
    /// What a policy would have recorded, one answer for each camera of `scope` of which there is a trace.
    func simulate(_ command: SimulateRequest, in scope: CameraScope) async throws -> [SimulateAnswer]
    /// What each sensitivity and max event length would have recorded of `camera`; `asEvents` takes continuous mode for event
    /// mode.
    func ladder(camera: String, from: WallTime, to: WallTime, asEvents: Bool) async throws -> LadderAnswer
}

/// What is done to cameras and clips. `by` is for the journal; whether it may is decided before.
public protocol CommandSite: Sendable {
    /// Begins or prolongs an event by command (T5) for `forMs` milliseconds (1 000…3 600 000), or for the
    /// policy's own length where nil. Gives the state that follows. `conflict` where the camera may not record.
    func record(camera: String, forMs: Int64?, by caller: Caller) async throws -> CameraState
    /// Takes a detection, or a source that came on or went off. Gives the state that follows; what the machine suppresses
    /// is no error, the journal says why.
    func trigger(camera: String, _ command: TriggerCommand, by caller: Caller) async throws -> CameraState
    /// Where a camera looks, and which positions it keeps. `conflict` where it cannot be turned, `unavailable` where it does not
    /// answer.
    func ptz(camera: String) async throws -> PTZInfo
    /// Turns a camera. Gives where it looks then. `notFound` for a preset that it does not keep; else as ``ptz(camera:)``.
    func turn(camera: String, _ command: PTZCommand, by caller: Caller) async throws -> PTZInfo
    /// Sets the recording toggle. Gives the state that follows.
    func setEnabled(camera: String, enabled: Bool, by caller: Caller) async throws -> CameraState
    /// Deletes a closed clip for ever and gives what it was. `notFound` where there is none, `conflict` while it is written, read,
    /// protected or being deleted already.
    func deleteClip(_ clip: Int64, by caller: Caller) async throws -> ClipInfo
    /// Marks an event as seen, or takes the mark back; `notFound` where there is none. The mark is the site's, not the caller's,
    /// and deletes nothing: the journal does not tell it.
    func setSeen(event: Int64, seen: Bool, by caller: Caller) async throws -> EventInfo
    /// Sends a receiver a trial, and gives what became of it within half a minute; `notFound` where there is none of that name.
    func test(receiver: String, by caller: Caller) async throws -> ReceiverTrial
    /// Clears one message and nothing else; `notFound` where there is none.
    func clearMessage(_ message: Int64, by caller: Caller) async throws -> ClearedMessages
    /// Clears the messages that `messages(in:)` gives, and nothing else.
    func clearMessages(in scope: CameraScope, by caller: Caller) async throws -> ClearedMessages
    /// What holds for a camera, and what of it is set for it alone.
    func settings(camera: String) async throws -> CameraSettingsInfo
    /// Sets what `command` names for a camera over its policy, kept over restarts. Gives what holds then. `invalid` for a value that
    /// a key does not take, `unavailable` where it cannot be kept; nothing is changed then.
    /// `unavailable` too where the machine has not taken it in time; it holds all the same.
    func set(camera: String, _ command: SettingsCommand, by caller: Caller) async throws -> CameraSettingsInfo
    /// Sets the privacy switches that `change` names. Gives the state that follows.
    func setPrivacy(camera: String, change: PrivacyCommand, by caller: Caller) async throws -> CameraState
    /// Protects a clip from every retention rule, or releases it. Gives the clip. `conflict` where it is being deleted.
    func setProtected(clip: Int64, protected: Bool, by caller: Caller) async throws -> ClipInfo
}

/// Policies and the configuration.
public protocol PolicySite: Sendable {
    /// All policies by name.
    func policies() async throws -> [PolicySummary]
    /// One policy with its text.
    func policy(name: String) async throws -> PolicyText
    /// The texts that a policy had before it was changed by command, the oldest first.
    func policyVersions(name: String) async throws -> [PolicyVersion]
    /// A verdict over a text; changes nothing.
    func checkPolicy(text: String) async throws -> PolicyCheck
    /// What cannot be meant, or probably is not, in the policy of that name, or in all of the configuration where nil: what the
    /// files tell, and what was measured.
    func findings(policy: String?) async throws -> [PolicyCheck.Finding]
    /// Replaces the policy `name`, or creates it where `expectedRevision` is nil. `conflict` where the policy has
    /// another revision by now, or its file holds something else than was read from it, `invalid` where the text is not a
    /// valid policy of that name.
    func applyPolicy(name: String, text: String, expectedRevision: String?, by caller: Caller) async throws
        -> PolicyText
    /// The zones and masks of a camera, as vigil.yaml has them.
    func areas(camera: String) async throws -> CameraAreas
    /// Writes the zones and masks of a camera into vigil.yaml, and nothing else. Gives what is in force then. `conflict` where
    /// the file has another revision by now or holds something else than was read from it, or where they are written there in
    /// a way that cannot be changed by itself; `invalid` where they or what they lead to are refused.
    func setAreas(camera: String, _ command: AreasCommand, by caller: Caller) async throws -> CameraAreas
    /// Reads configuration and policies again. `invalid` where they are refused; the last good ones stay.
    func reload(by caller: Caller) async throws -> ReloadReport
}

/// Who may speak to the daemon over TCP.
public protocol AccountSite: Sendable {
    /// Tokens and logins.
    var accounts: Accounts { get }
    /// Keeps what changed of them over a restart. `unavailable` where it cannot; it holds until the restart all the same.
    func keepAccounts() async throws
    /// Somebody looked at pictures, or took recordings away.
    func note(_ note: AuditNote) async
    /// Where the web page is, without a slash at the end, such as `http://127.0.0.1:8080`; nil where none is served.
    var pageAddress: String? { get }
}

/// Pictures and movies of what was recorded.
public protocol MediaSite: Sendable {
    /// A JPEG of what `subject` was recorded of (nothing said of its width: as `SnapshotWidth.standard`). `notFound` where nothing was
    /// recorded or it is gone, `conflict` while its clip is being written.
    func snapshot(of subject: SnapshotSubject, _ wish: PictureWish) async throws -> [UInt8]

    /// What an export of `camera` from `from` to `to` would hold. `notFound` where it would hold nothing.
    func exportPlan(camera: String, from: WallTime, to: WallTime) async throws -> PlannedExport
    /// The bytes of that export, one playable MP4, in order. The sequence produces on demand and stops when its
    /// consumer goes away.
    func export(camera: String, from: WallTime, to: WallTime, by caller: Caller) async throws -> ExportBytes
}

/// What viewers see: each has a session of one camera. A refusal of the session itself names `step` and `reason`.
public protocol SessionSite: Sendable {
    /// Opens a session, idle and not connected. `unavailable` where there are too many.
    func openSession(camera: String, by caller: Caller) async throws -> SessionInfo
    /// The sessions by camera and time.
    func sessions(in scope: CameraScope) async throws -> [SessionInfo]
    /// One session.
    func session(_ id: String) async throws -> SessionInfo
    /// Asks something of a session, and gives its state when that is done.
    func ask(session id: String, _ verb: SessionVerb, by caller: Caller) async throws -> SessionInfo
    /// Ends a session. Gives its last state.
    func closeSession(_ id: String, by caller: Caller) async throws -> SessionInfo
}

/// What the cameras send now.
public protocol LiveSite: Sendable {
    /// What a live viewer gets, for one task. `notFound` where the camera has no such stream, `conflict` where privacy covers it,
    /// `unavailable` where it is shut down or has as many viewers as it may have. Who lets go of it has left.
    func live(_ request: LiveRequest, cut: LiveCut) async throws -> any AsyncSequence<LivePart, Never> & Sendable
    /// The same as one fragmented MP4, which ends with the connection to the camera, or where it codes otherwise. Refusals as of
    /// `live`.
    func liveMovie(_ request: LiveRequest) async throws -> LiveMovieBytes
    /// A picture of what the camera sends now: the newest key frame, waited for `LiveSnapshot.waitMsMax` at most. Refusals as of
    /// `live`, and `unavailable` where none comes or too many are asked for at once.
    func livePicture(_ request: LiveRequest, _ wish: PictureWish) async throws -> LiveSnapshot
    /// Pictures of what the camera sends now, at most `perSecond` a second, for one task. Refusals as of `live`, and `unavailable`
    /// where as many are sent as may be.
    func livePictures(_ request: LiveRequest, _ wish: PictureWish, perSecond: Int) async throws -> LiveSnapshots
    /// Decoded frames of what the camera sends now, for one task. Refusals as of `live`, and `unavailable` where as many read frames
    /// as may.
    func liveFrames(_ request: FramesRequest) async throws -> LiveFrames
    /// Answers an offer of WebRTC, and sends what the camera sends now; refusals as of `live`, `unprocessable` where the offer or the
    /// stream does not allow it, `unavailable` where WebRTC is off or has as many viewers as it may have. `isLimited`: where the
    /// session is a new one, it ends after its time unless it is extended; else it is prolonged while the viewer looks on.
    func livePeer(_ request: LiveRequest, offer: String, isLimited: Bool) async throws -> PeerAnswer
    /// Ends what `livePeer` has begun in a session. `notFound` where nothing is shown in it this way.
    func endPeer(session: String, by caller: Caller) async throws
    /// A file of low-latency HLS. `main` begins a view, whose `player` the addresses in it carry; the others are of that view, and
    /// wait for what is not there yet. `notFound` where it is over, or what is asked for is gone or far away.
    func liveFile(
        _ file: LiveFile, _ request: LiveRequest, player: String?, from awaited: LiveAwaited?
    ) async throws -> [UInt8]
}
