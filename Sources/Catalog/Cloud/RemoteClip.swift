public import Foundation
public import Machines

/// A clip that the store has, as an upload that counts or a rebuild enters it.
public struct NewRemoteClip: Hashable, Sendable {
    /// Where its objects lie, below the store's prefix.
    public var key: String
    /// The store.
    public var store: String
    /// Its camera.
    public var camera: String
    /// First frame, UTC epoch milliseconds.
    public var startWallMs: Int64
    /// End of the last frame, UTC epoch milliseconds.
    public var endWallMs: Int64
    /// Why it was begun.
    public var cause: ClipCause
    /// Whether it was recorded because of an event.
    public var mediaClass: RetentionPlan.MediaClass
    /// Whether its end is there.
    public var isComplete: Bool
    /// Size of its media.
    public var bytes: Int64
    /// Its play URL.
    public var url: String
    /// How and when it was verified.
    public var verified: Verification
    /// The description as it lies in the store, JSON.
    public var description: Data
    /// The events that lie in it.
    public var events: [NewRemoteEvent]

    /// A remote clip.
    public init(
        key: String, store: String, camera: String, startWallMs: Int64, endWallMs: Int64, cause: ClipCause,
        mediaClass: RetentionPlan.MediaClass, isComplete: Bool = true, bytes: Int64, url: String,
        verified: Verification, description: Data, events: [NewRemoteEvent] = []
    ) {
        self.key = key
        self.store = store
        self.camera = camera
        self.startWallMs = startWallMs
        self.endWallMs = endWallMs
        self.cause = cause
        self.mediaClass = mediaClass
        self.isComplete = isComplete
        self.bytes = bytes
        self.url = url
        self.verified = verified
        self.description = description
        self.events = events
    }
}

/// An event that lies in a remote clip.
public struct NewRemoteEvent: Hashable, Sendable {
    /// The boot in which `beganMonotonicMs` counts.
    public var bootID: String
    /// Begin, milliseconds since that boot; with camera and boot it names the event on every machine.
    public var beganMonotonicMs: Int64
    /// Begin, UTC epoch milliseconds.
    public var beganWallMs: Int64
    /// End, UTC epoch milliseconds; nil if it is not known.
    public var endedWallMs: Int64?
    /// What began it.
    public var cause: String
    /// Level of the detection that began it.
    public var level: Sensitivity?
    /// Detections that passed.
    public var detections: Int
    /// Names of the zones in which they were, an empty one for the part outside every zone.
    public var zones: [String]
    /// Where its picture lies, below the store's prefix; nil if it has none.
    public var picture: String?

    /// An event.
    public init(
        bootID: String, beganMonotonicMs: Int64, beganWallMs: Int64, endedWallMs: Int64? = nil, cause: String,
        level: Sensitivity? = nil, detections: Int = 0, zones: [String] = [], picture: String? = nil
    ) {
        self.bootID = bootID
        self.beganMonotonicMs = beganMonotonicMs
        self.beganWallMs = beganWallMs
        self.endedWallMs = endedWallMs
        self.cause = cause
        self.level = level
        self.detections = detections
        self.zones = zones
        self.picture = picture
    }
}

/// A remote clip as the catalog holds it, without its description.
public struct RemoteClip: Hashable, Sendable, Identifiable {
    /// Its id.
    public let id: RemoteClipID
    /// Where its objects lie, below the store's prefix.
    public let key: String
    /// The store.
    public let store: String
    /// Its camera.
    public let camera: String
    /// First frame, UTC epoch milliseconds.
    public let startWallMs: Int64
    /// End of the last frame, UTC epoch milliseconds.
    public let endWallMs: Int64
    /// Why it was begun.
    public let cause: ClipCause
    /// Whether it was recorded because of an event.
    public let mediaClass: RetentionPlan.MediaClass
    /// Whether its end is there.
    public let isComplete: Bool
    /// Size of its media.
    public let bytes: Int64
    /// Its play URL.
    public let url: String
    /// How and when it was verified.
    public let verified: Verification
}

/// What a timeline needs of a remote clip, and no more.
public struct RemoteSlice: Hashable, Sendable, Identifiable {
    /// The remote clip.
    public let id: RemoteClipID
    /// First frame, UTC epoch milliseconds.
    public let startWallMs: Int64
    /// End of the last frame, UTC epoch milliseconds.
    public let endWallMs: Int64
    /// Whether it was recorded because of an event.
    public let mediaClass: RetentionPlan.MediaClass
    /// Whether its end is there.
    public let isComplete: Bool
    /// Size of its media.
    public let bytes: Int64
}

/// An event that lies in remote clips.
public struct RemoteEvent: Hashable, Sendable, Identifiable {
    /// Its number in this catalog.
    public let id: Int64
    /// Its camera.
    public let camera: String
    /// What is known of it.
    public let event: NewRemoteEvent
    /// The remote clips in which it lies, by their ids.
    public let clips: [RemoteClipID]
    /// The same event on the disk; nil where the disk has no row of it, or nobody asked.
    public let local: EventID?
}

/// What one camera has in the cloud.
public struct RemoteUsage: Hashable, Sendable {
    /// The camera.
    public let camera: String
    /// Its remote clips.
    public let clips: Int64
    /// Their sizes.
    public let bytes: Int64
}
