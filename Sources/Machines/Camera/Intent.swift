/// What is asked of a camera, from which the three machines derive what they want. Pure facts; no machine changes them
/// but through the event that brought them.
public struct Intent: Hashable, Sendable, Codable {
    /// The recording toggle (Matter's transport status).
    public var enabled: Bool
    /// The policy in force, the schedule already applied.
    public var policy: Policy
    /// When the policy in force changes next by its schedule, if that is known.
    public var policyUntil: Instant?
    /// The privacy switches.
    public var privacy: Privacy
    /// Which endpoints are dialled.
    public var connect: DialOrder
    /// Live viewers at this moment.
    public var viewers: Int
    /// What the storage can do.
    public var storage: Storage
    /// The daemon shuts down; never taken back.
    public var draining: Bool

    /// An intent; a camera that is enabled, with the default policy (mode off), unless named otherwise.
    public init(
        enabled: Bool = true, policy: Policy = Policy(), policyUntil: Instant? = nil, privacy: Privacy = Privacy(),
        connect: DialOrder = .lan, viewers: Int = 0, storage: Storage = .ok, draining: Bool = false
    ) {
        self.enabled = enabled
        self.policy = policy
        self.policyUntil = policyUntil
        self.privacy = privacy
        self.connect = connect
        self.viewers = viewers
        self.storage = storage
        self.draining = draining
    }

    /// A privacy switch covers the recording.
    public var blocked: Bool { privacy.hard || privacy.softRecording }

    /// Events may be active: the user's part of `recordingWanted`.
    public var eventsAllowed: Bool { enabled && policy.mode != .off && !blocked && !draining }

    /// Recording is wanted as far as intent and storage go.
    public var recordingWanted: Bool { eventsAllowed && storage != .lost }
}
