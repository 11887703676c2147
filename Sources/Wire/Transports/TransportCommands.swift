/// The body of `PUT /v1/cameras/{camera}/transports/status`.
public struct TransportStatusCommand: Hashable, Sendable, Codable {
    /// Which transport; nil: all of the camera.
    public var connectionID: Int?
    /// `active` or `inactive`.
    public var transportStatus: String

    /// A command.
    public init(connectionID: Int?, transportStatus: String) {
        (self.connectionID, self.transportStatus) = (connectionID, transportStatus)
    }
}

/// The body of `POST /v1/cameras/{camera}/transports/{transport}/trigger`.
public struct TransportTriggerCommand: Hashable, Sendable, Codable {
    /// Why: `userInitiated`, `automation`, `emergency` or `doorbellPressed`.
    public var activationReason: String
    /// How long it records; absent: as the transport's own options say. Blind time is not looked at.
    public var timeControl: TransportTimeControl?

    /// A command.
    public init(activationReason: String, timeControl: TransportTimeControl? = nil) {
        (self.activationReason, self.timeControl) = (activationReason, timeControl)
    }
}

/// One recording of a transport: from when to when, why, and the clips of the camera in which its media lies.
public struct TransportRecording: Hashable, Sendable, Codable {
    /// Its id, which is never given twice.
    public var id: Int64
    /// The number of the transport.
    public var connectionID: Int
    /// When it was triggered.
    public var began: WallTime
    /// When it ended; nil while it goes on.
    public var ended: WallTime?
    /// What began it: `motion`, `command` or `continuous`.
    public var triggerType: String
    /// Why it was triggered by command; absent where it was not.
    public var activationReason: String?
    /// Why it ended; absent while it goes on.
    public var why: String?
    /// The clips of the camera that lie in it and in its pre-roll, by time, 1 000 at most.
    public var clips: [Int64]

    /// A recording.
    public init(
        id: Int64, connectionID: Int, began: WallTime, ended: WallTime?, triggerType: String, activationReason: String?,
        why: String?, clips: [Int64]
    ) {
        (self.id, self.connectionID, self.began, self.ended) = (id, connectionID, began, ended)
        (self.triggerType, self.activationReason, self.why, self.clips) = (triggerType, activationReason, why, clips)
    }
}
