public import Catalog
public import Foundation
public import Machines

/// The description of a clip in the bucket, `clip.json`: enough to make its rows anew on an empty machine.
public struct ClipDescription: Hashable, Sendable {
    /// One track.
    public struct Track: Hashable, Sendable, Codable {
        /// What it carries.
        public var kind: TrackKind
        /// RFC 6381 codec string.
        public var codec: String
        /// Size of the track file.
        public var bytes: Int64
        /// SHA-256 of the track file, hexadecimal; empty while the clip is open.
        public var sha256: String
        /// Length of the media in milliseconds.
        public var durationMs: Int64
        /// Size of the picture in pixels, 1 to 65,535; nil for sound, and where it is not known.
        public var width, height: Int?
        /// The fragment index of the track file as Media encodes it.
        public var index: Data
        /// The fragment index of what its objects hold, where that is encrypted; nil where they hold the track file.
        public var encryptedIndex: Data?
        /// The objects whose concatenation is the track file, or the encrypted one, in order.
        public var objects: [Object]

        /// A track.
        public init(
            kind: TrackKind, codec: String, bytes: Int64, sha256: String, durationMs: Int64, width: Int? = nil,
            height: Int? = nil, index: Data, encryptedIndex: Data? = nil, objects: [Object]
        ) {
            self.kind = kind
            self.codec = codec
            self.bytes = bytes
            self.sha256 = sha256
            self.durationMs = durationMs
            self.width = width
            self.height = height
            self.index = index
            self.encryptedIndex = encryptedIndex
            self.objects = objects
        }
    }

    /// One object that holds media.
    public struct Object: Hashable, Sendable, Codable {
        /// Its name in the clip's folder.
        public var name: String
        /// Where its bytes begin in the track file, or in the encrypted one.
        public var firstByte: Int64
        /// Its size, 1 or more.
        public var bytes: Int64
        /// SHA-256 of its bytes, hexadecimal.
        public var sha256: String

        /// An object.
        public init(name: String, firstByte: Int64, bytes: Int64, sha256: String) {
            self.name = name
            self.firstByte = firstByte
            self.bytes = bytes
            self.sha256 = sha256
        }
    }

    /// An event that lies in the clip.
    public struct Event: Hashable, Sendable, Codable {
        /// The boot in which `beganMonotonicMs` counts; with the camera it names the event on every machine.
        public var bootID: String
        /// Begin, milliseconds since that boot.
        public var beganMonotonicMs: Int64
        /// Begin, UTC epoch milliseconds.
        public var beganWallMs: Int64
        /// End, UTC epoch milliseconds; nil if it was not over.
        public var endedWallMs: Int64?
        /// What began it.
        public var cause: String
        /// Level of the detection that began it.
        public var level: Sensitivity?
        /// Why it ended; nil if it was not over.
        public var why: String?
        /// Detections that passed, as far as was known.
        public var detections: Int
        /// Names of the zones in which they were, an empty one for the part outside every zone.
        public var zones: [String]
        /// Name of the object with its picture, in the clip's folder; nil if it is not in this clip.
        public var picture: String?
        /// What a program recognised in it, as far as was known; nil where nothing was.
        public var labels: [Label]?

        private enum CodingKeys: String, CodingKey {
            case bootID = "bootId"
            case beganMonotonicMs, beganWallMs, endedWallMs, cause, level, why, detections, zones, picture, labels
        }

        /// An event.
        public init(
            bootID: String, beganMonotonicMs: Int64, beganWallMs: Int64, endedWallMs: Int64?, cause: String,
            level: Sensitivity?, why: String?, detections: Int, zones: [String], picture: String?,
            labels: [Label]? = nil
        ) {
            self.bootID = bootID
            self.beganMonotonicMs = beganMonotonicMs
            self.beganWallMs = beganWallMs
            self.endedWallMs = endedWallMs
            self.cause = cause
            self.level = level
            self.why = why
            self.detections = detections
            self.zones = zones
            self.picture = picture
            self.labels = labels
        }
    }

    /// What a program recognised in an event.
    public struct Label: Hashable, Sendable, Codable {
        /// What it is (`LabelName`).
        public var label: String
        /// When it was told first, milliseconds since the event's boot.
        public var atMonotonicMs: Int64
        /// The same, UTC epoch milliseconds.
        public var atWallMs: Int64
        /// Where it was; nil where nobody said.
        public var box: LabelBox?

        /// A label.
        public init(label: String, atMonotonicMs: Int64, atWallMs: Int64, box: LabelBox?) {
            self.label = label
            self.atMonotonicMs = atMonotonicMs
            self.atWallMs = atWallMs
            self.box = box
        }
    }

    /// Name of the camera.
    public var camera: String
    /// The boot in which the monotonic times count.
    public var bootID: String
    /// First frame and end of the last one, milliseconds since that boot.
    public var startMonotonicMs, endMonotonicMs: Int64
    /// The same, UTC epoch milliseconds.
    public var startWallMs, endWallMs: Int64
    /// Why it was begun.
    public var cause: ClipCause
    /// Which retention rule it falls under.
    public var mediaClass: RetentionPlan.MediaClass
    /// Why it ended; nil while it is open.
    public var ended: ClipEnd?
    /// Name and revision of the policy in force when it was begun.
    public var policy, policyRevision: String
    /// Whether media that it should hold is known to be missing.
    public var isIncomplete: Bool
    /// How its media is encrypted; nil where it is not.
    public var encryption: Encryption?
    /// The tracks, at most one of each kind.
    public var tracks: [Track]
    /// The events.
    public var events: [Event]

    /// A description.
    public init(
        camera: String, bootID: String, startMonotonicMs: Int64, endMonotonicMs: Int64, startWallMs: Int64,
        endWallMs: Int64, cause: ClipCause, mediaClass: RetentionPlan.MediaClass, ended: ClipEnd?, policy: String,
        policyRevision: String, isIncomplete: Bool, encryption: Encryption? = nil, tracks: [Track], events: [Event]
    ) {
        self.camera = camera
        self.bootID = bootID
        self.startMonotonicMs = startMonotonicMs
        self.endMonotonicMs = endMonotonicMs
        self.startWallMs = startWallMs
        self.endWallMs = endWallMs
        self.cause = cause
        self.mediaClass = mediaClass
        self.ended = ended
        self.policy = policy
        self.policyRevision = policyRevision
        self.isIncomplete = isIncomplete
        self.encryption = encryption
        self.tracks = tracks
        self.events = events
    }

    /// The clip as the catalog's list of the cloud has it.
    ///
    /// - Parameters:
    ///   - key: its key, without the store's prefix.
    ///   - isComplete: whether its end is there.
    public func remote(
        key: String, store: String, url: String, verified: Verification, isComplete: Bool = true
    ) -> NewRemoteClip {
        NewRemoteClip(
            key: key, store: store, camera: camera, startWallMs: startWallMs, endWallMs: endWallMs, cause: cause,
            mediaClass: mediaClass, isComplete: isComplete, bytes: tracks.reduce(0) { $0 &+ $1.bytes }, url: url,
            verified: verified, description: encoded,
            events: events.map { event in
                NewRemoteEvent(
                    bootID: event.bootID, beganMonotonicMs: event.beganMonotonicMs, beganWallMs: event.beganWallMs,
                    endedWallMs: event.endedWallMs, cause: event.cause, level: event.level,
                    detections: event.detections, zones: event.zones, picture: event.picture.map { "\(key)/\($0)" })
            })
    }
}
