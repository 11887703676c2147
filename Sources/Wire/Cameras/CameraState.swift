public import Machines

/// What one camera is doing now and why, as `GET /v1/states` tells it. The words of `link`, `trigger` and `recorder`
/// are those of the machine's states.
public struct CameraState: Hashable, Sendable, Codable {
    /// What the tries to reach a camera have found.
    public struct Reachability: Hashable, Sendable, Codable {
        /// By which way it answered; absent where it did not.
        public var endpoint: Endpoint?
        /// Why it did not.
        public var failure: LinkFailure?
        /// Since when each try has found the same.
        public var since: WallTime

        /// What was found.
        public init(endpoint: Endpoint?, failure: LinkFailure?, since: WallTime) {
            self.endpoint = endpoint
            self.failure = failure
            self.since = since
        }
    }

    /// Who pushes a camera's main stream.
    public struct Pusher: Hashable, Sendable, Codable {
        /// As whom: the user of its login, or `certificate` and the begin of its SHA-256.
        public var login: String
        /// From which address.
        public var address: String
        /// The session that it pushes; empty where its paths name none.
        public var session: String
        /// Since when it pushes.
        public var since: WallTime

        /// Who pushes.
        public init(login: String, address: String, session: String, since: WallTime) {
            self.login = login
            self.address = address
            self.session = session
            self.since = since
        }
    }

    /// The camera's name in the configuration.
    public var camera: String
    /// `off`, `waiting`, `dialing`, `synchronizing` or `streaming`.
    public var link: String
    /// `quiet`, `active`, `blind`, or another state of the trigger.
    public var trigger: String
    /// `idle`, `opening`, `writing` or `cutting`.
    public var recorder: String
    /// The label of the present second.
    public var coverage: Coverage
    /// Since when the label holds.
    public var since: WallTime
    /// Why: one sentence for people, such as "continuous mode of policy shop".
    public var why: String
    /// The recording toggle.
    public var enabled: Bool
    /// The privacy switches.
    public var privacy: Privacy
    /// The name of the policy in force.
    public var policy: String
    /// What that policy asks for at this moment of its schedule.
    public var mode: Mode
    /// What is set for this camera over its policy and vigil.yaml, by key; absent where nothing is.
    public var settings: [String: String]?
    /// Why the last dial failed or the last link was lost; absent since a key frame came.
    public var lastFailure: LinkFailure?
    /// The endpoint that is dialled or connected.
    public var endpoint: Endpoint?
    /// Whether it can be reached, while the recording toggle is off and nobody wants its link; absent before the first try, and
    /// while the link tells.
    public var reachable: Reachability?
    /// Who pushes; absent where the camera is dialled, and while nothing is pushed.
    public var pusher: Pusher?
    /// Milliseconds from now until the next dial, while the link is `waiting`.
    public var nextRetryMs: Int64?
    /// For how many milliseconds a connection that was hung up has not ended although it should have; absent where none is.
    /// The camera is not dialled meanwhile.
    public var hangUpOverdueMs: Int64?
    /// The clip that is being written.
    public var clip: Int64?
    /// The event that is active.
    public var event: Int64?
    /// What the pre-roll ring holds; absent without a link.
    public var ring: RingState?
    /// What the detector does; absent where none may look.
    public var detection: DetectionState?
    /// How many look at the camera now, at its main stream or its sub-stream.
    public var viewers: Int = 0
    /// Frames of the main stream that packets were missing from, since the daemon began.
    public var damagedFrames: Int64 = 0
    /// Where the sub-stream stands; absent where none is configured.
    public var substream: SubstreamState?
    /// How many of its clips the cloud has; absent where it has none.
    public var cloudClips: Int64?

    /// One camera's state.
    public init(
        camera: String, link: String, trigger: String, recorder: String, coverage: Coverage, since: WallTime,
        why: String,
        enabled: Bool, privacy: Privacy, policy: String, mode: Mode, lastFailure: LinkFailure? = nil,
        endpoint: Endpoint? = nil, nextRetryMs: Int64? = nil, clip: Int64? = nil, event: Int64? = nil,
        ring: RingState? = nil, detection: DetectionState? = nil
    ) {
        self.camera = camera
        self.link = link
        self.trigger = trigger
        self.recorder = recorder
        self.coverage = coverage
        self.since = since
        self.why = why
        self.enabled = enabled
        self.privacy = privacy
        self.policy = policy
        self.mode = mode
        self.lastFailure = lastFailure
        self.endpoint = endpoint
        self.nextRetryMs = nextRetryMs
        self.clip = clip
        self.event = event
        self.ring = ring
        self.detection = detection
    }
}
