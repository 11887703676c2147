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
    /// Its name.
    public var receiver: String
    /// `ntfy`, `gotify` or `webhook`.
    public var kind: String
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
        receiver: String, kind: String, address: String, waiting: Int, failingSince: WallTime?, why: String?
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
    /// Its number, 1 or more; never used twice.
    public var id: Int64
    /// The receiver's name.
    public var receiver: String
    /// `begin` or `end` of an event, `problem` or `problemOver`.
    public var kind: String
    /// The camera; null where it is about the site.
    public var camera: String?
    /// The event; null for a problem.
    public var event: Int64?
    /// The message kind of a problem, such as `linkLost`; null for an event.
    public var problem: String?
    /// When what it tells of happened.
    public var at: WallTime
    /// `waiting`, `taken` or `givenUp`.
    public var state: String
    /// How often it was sent in vain.
    public var attempts: Int
    /// Why it was not taken the last time; null where that has not happened.
    public var why: String?
    /// When it was taken or given up; null while it waits.
    public var over: WallTime?

    /// A notification.
    public init(
        id: Int64, receiver: String, kind: String, camera: String?, event: Int64?, problem: String?, at: WallTime,
        state: String, attempts: Int, why: String?, over: WallTime?
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
