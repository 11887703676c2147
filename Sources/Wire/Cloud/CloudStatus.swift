public import Machines

/// What goes to the cloud and what the plans say, as `GET /v1/cloud` tells it.
public struct CloudStatus: Hashable, Sendable, Codable {
    /// The plan of one camera, and what it has in the cloud.
    public struct Camera: Hashable, Sendable, Codable {
        /// Its name.
        public var camera: String
        /// One of six states.
        public var state: Subscription.Report
        /// The same in words.
        public var words: String
        /// What the provider calls the plan; null where it has no name.
        public var plan: String?
        /// When the plan ends or has ended; null where it has no end, or the end is not known.
        public var planEnd: WallTime?
        /// When what is in the cloud is deleted; null where nothing is there, or the plan covers it.
        public var deletedAt: WallTime?
        /// Where the provider lets people manage the plan; null where it names no address.
        public var manageUrl: String?
        /// When the provider answered last; null: never.
        public var loaded: WallTime?
        /// Why the last load failed; null where it did not.
        public var why: String?
        /// Whether clips may be sent now.
        public var sends: Bool
        /// Its clips in the cloud.
        public var clips: Int64
        /// Their size.
        public var bytes: Int64

        /// The plan of one camera.
        public init(
            camera: String, state: Subscription.Report, words: String, plan: String?, planEnd: WallTime?,
            deletedAt: WallTime?,
            manageUrl: String?, loaded: WallTime?, why: String?, sends: Bool, clips: Int64, bytes: Int64
        ) {
            self.camera = camera
            self.state = state
            self.words = words
            self.plan = plan
            self.planEnd = planEnd
            self.deletedAt = deletedAt
            self.manageUrl = manageUrl
            self.loaded = loaded
            self.why = why
            self.sends = sends
            self.clips = clips
            self.bytes = bytes
        }

        /// Writes every key, null ones too.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(camera, forKey: .camera)
            try container.encode(state, forKey: .state)
            try container.encode(words, forKey: .words)
            try container.encode(plan, forKey: .plan)
            try container.encode(planEnd, forKey: .planEnd)
            try container.encode(deletedAt, forKey: .deletedAt)
            try container.encode(manageUrl, forKey: .manageUrl)
            try container.encode(loaded, forKey: .loaded)
            try container.encode(why, forKey: .why)
            try container.encode(sends, forKey: .sends)
            try container.encode(clips, forKey: .clips)
            try container.encode(bytes, forKey: .bytes)
        }
    }

    /// How the receiver of the webhook stands.
    public struct Webhook: Hashable, Sendable, Codable {
        /// Scheme, host and port of its address.
        public var address: String
        /// How many notices wait for it.
        public var waiting: Int64
        /// Since when it takes nothing; null while it does.
        public var failingSince: WallTime?
        /// Why; null while it does.
        public var why: String?

        /// How the receiver stands.
        public init(address: String, waiting: Int64, failingSince: WallTime?, why: String?) {
            self.address = address
            self.waiting = waiting
            self.failingSince = failingSince
            self.why = why
        }

        /// Writes every key, null ones too.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(address, forKey: .address)
            try container.encode(waiting, forKey: .waiting)
            try container.encode(failingSince, forKey: .failingSince)
            try container.encode(why, forKey: .why)
        }
    }

    /// With what clips are encrypted before they are sent.
    public struct Encryption: Hashable, Sendable, Codable {
        /// The id of the key for clips to come; null where it cannot be read.
        public var keyID: String?
        /// The day on which the key's backup was confirmed, `yyyy-mm-dd`; null: not yet, and nothing is sent.
        public var backup: String?

        private enum CodingKeys: String, CodingKey {
            case backup
            case keyID = "keyId"
        }

        /// With what clips are encrypted.
        public init(keyID: String?, backup: String?) { (self.keyID, self.backup) = (keyID, backup) }

        /// Writes every key, null ones too.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(keyID, forKey: .keyID)
            try container.encode(backup, forKey: .backup)
        }
    }

    /// The store; null where none is configured, or it cannot be spoken to.
    public var store: String?
    /// Why nothing is sent; null where nothing is in the way.
    public var why: String?
    /// Who says for how long: the address of a service; null where nobody is asked.
    public var provider: String?
    /// With what clips are encrypted; null where they are sent as they are.
    public var encryption: Encryption?
    /// Who is told each stage of each upload; null where nobody is, or the caller sees some cameras alone.
    public var webhook: Webhook?
    /// The cameras whose policy sends something, by name.
    public var cameras: [Camera]

    /// What goes to the cloud.
    public init(
        store: String?, why: String?, provider: String?, encryption: Encryption? = nil, webhook: Webhook? = nil,
        cameras: [Camera]
    ) {
        self.store = store
        self.why = why
        self.provider = provider
        self.encryption = encryption
        self.webhook = webhook
        self.cameras = cameras
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(store, forKey: .store)
        try container.encode(why, forKey: .why)
        try container.encode(provider, forKey: .provider)
        try container.encode(encryption, forKey: .encryption)
        try container.encode(webhook, forKey: .webhook)
        try container.encode(cameras, forKey: .cameras)
    }
}
