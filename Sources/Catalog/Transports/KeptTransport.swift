public import Machines

/// A transport of a camera as it is kept.
public struct KeptTransport: Hashable, Sendable {
    /// Its id, which is never given twice.
    public var id: Int64
    /// Name of the camera.
    public var camera: String
    /// By which clients name it, 1…65 534.
    public var number: Int
    /// Whether it may record.
    public var status: PushTransport.Status
    /// What holds for it, as JSON.
    public var options: String
    /// When it is over by itself, UTC epoch milliseconds; nil: it is not.
    public var expiresWallMs: Int64?

    /// A transport.
    public init(
        id: Int64, camera: String, number: Int, status: PushTransport.Status, options: String, expiresWallMs: Int64?
    ) {
        (self.id, self.camera, self.number) = (id, camera, number)
        (self.status, self.options, self.expiresWallMs) = (status, options, expiresWallMs)
    }
}

/// A recording of a transport as it is kept.
public struct KeptTransportRecording: Hashable, Sendable {
    /// Its id, which is never given twice.
    public var id: Int64
    /// When it was triggered, UTC epoch milliseconds.
    public var beganWallMs: Int64
    /// When it ended, UTC epoch milliseconds; nil while it goes on.
    public var endedWallMs: Int64?
    /// What was asked for of the time before, in milliseconds, 0 or more.
    public var preRollMs: Int64
    /// What began it: a `PushTransport.Cause`.
    public var cause: String
    /// Why it was triggered by command; nil where it was not.
    public var reason: String?
    /// Why it ended: a `PushTransport.Why`, or `interrupted`; nil while it goes on.
    public var why: String?

    /// A recording.
    public init(
        id: Int64, beganWallMs: Int64, endedWallMs: Int64?, preRollMs: Int64, cause: String, reason: String?,
        why: String?
    ) {
        (self.id, self.beganWallMs, self.endedWallMs, self.preRollMs) = (id, beganWallMs, endedWallMs, preRollMs)
        (self.cause, self.reason, self.why) = (cause, reason, why)
    }
}
