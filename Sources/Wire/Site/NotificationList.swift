/// Who is told of events and problems, and of what, as `GET /v1/notifications` tells it.
public struct NotificationList: Hashable, Sendable, Codable {
    /// The receivers, in the order of the configuration; none for who may not see every camera.
    public var receivers: [ReceiverInfo]
    /// The newest notifications, the newest first.
    public var notifications: [NotificationInfo]

    /// How many notifications a list has at most.
    public static let limit = 100

    /// A list.
    public init(receivers: [ReceiverInfo], notifications: [NotificationInfo]) {
        self.receivers = receivers
        self.notifications = notifications
    }
}

/// How a receiver of the section `notify` stands.
public struct ReceiverInfo: Hashable, Sendable, Codable {
    /// What a receiver understands.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A topic of an ntfy server.
        case ntfy
        /// A Gotify server.
        case gotify
        /// Any program that takes JSON.
        case webhook
    }

    /// Its name.
    public var receiver: String
    /// What it understands.
    public var kind: Kind
    /// Scheme, host and port of its address.
    public var address: String
    /// How many notifications wait for it.
    public var waiting: Int
    /// Since when it takes none; null while it does.
    public var failingSince: WallTime?
    /// Why it takes none; null while it does.
    public var why: String?

    /// A receiver.
    public init(
        receiver: String, kind: Kind, address: String, waiting: Int, failingSince: WallTime?, why: String?
    ) {
        self.receiver = receiver
        self.kind = kind
        self.address = address
        self.waiting = waiting
        self.failingSince = failingSince
        self.why = why
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(receiver, forKey: .receiver)
        try container.encode(kind, forKey: .kind)
        try container.encode(address, forKey: .address)
        try container.encode(waiting, forKey: .waiting)
        try container.encode(failingSince, forKey: .failingSince)
        try container.encode(why, forKey: .why)
    }
}

/// What a receiver is told, or was.
public struct NotificationInfo: Hashable, Sendable, Codable {
    /// What a notification tells.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// An event began.
        case begin
        /// An event ended.
        case end
        /// A problem holds.
        case problem
        /// A problem is over.
        case problemOver
    }

    /// What became of a notification.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is to be sent.
        case waiting
        /// Its receiver took it.
        case taken
        /// It is not sent any more.
        case givenUp
    }

    /// Its number, 1 or more; never used twice.
    public var id: Int64
    /// The receiver's name.
    public var receiver: String
    /// What it tells.
    public var kind: Kind
    /// The camera; null where it is about the site.
    public var camera: String?
    /// The event; null for a problem.
    public var event: Int64?
    /// The message kind of a problem, such as `linkLost`; null for an event.
    public var problem: String?
    /// When what it tells of happened.
    public var at: WallTime
    /// What became of it.
    public var state: State
    /// How often it was sent in vain.
    public var attempts: Int
    /// Why it was not taken the last time; null where that has not happened.
    public var why: String?
    /// When it was taken or given up; null while it waits.
    public var over: WallTime?

    /// A notification.
    public init(
        id: Int64, receiver: String, kind: Kind, camera: String?, event: Int64?, problem: String?, at: WallTime,
        state: State, attempts: Int, why: String?, over: WallTime?
    ) {
        self.id = id
        self.receiver = receiver
        self.kind = kind
        self.camera = camera
        self.event = event
        self.problem = problem
        self.at = at
        self.state = state
        self.attempts = attempts
        self.why = why
        self.over = over
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(receiver, forKey: .receiver)
        try container.encode(kind, forKey: .kind)
        try container.encode(camera, forKey: .camera)
        try container.encode(event, forKey: .event)
        try container.encode(problem, forKey: .problem)
        try container.encode(at, forKey: .at)
        try container.encode(state, forKey: .state)
        try container.encode(attempts, forKey: .attempts)
        try container.encode(why, forKey: .why)
        try container.encode(over, forKey: .over)
    }
}

/// What became of a trial of a receiver.
public struct ReceiverTrial: Hashable, Sendable, Codable {
    /// The receiver's name.
    public var receiver: String
    /// Whether it took the message.
    public var taken: Bool
    /// Why it did not; null where it did.
    public var why: String?

    /// A trial.
    public init(receiver: String, why: String?) {
        self.receiver = receiver
        self.why = why
        taken = why == nil
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(receiver, forKey: .receiver)
        try container.encode(taken, forKey: .taken)
        try container.encode(why, forKey: .why)
    }
}
