public import Machines

/// A clip as the catalog holds it.
public struct Clip: Hashable, Sendable, Identifiable {
    /// Where a clip is in its life.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It is being written. Leads to closed (its end, or recovery), deleting (recovery, if it is empty).
        case open
        /// Its files are whole and durable. Leads to deleting (a retention rule, the operator).
        case closed
        /// Its files are going. Leads to no row at all.
        case deleting
    }

    /// Its id.
    public let id: ClipID
    /// Where it is in its life.
    public let state: State
    /// What was known when it was opened.
    public let opened: NewClip
    /// The end of the last frame; nil while open.
    public let end: Moment?
    /// Why it ended; nil while open.
    public let ended: ClipEnd?
    /// Whether no rule may delete it.
    public let protected: Bool
    /// Whether media that it should hold is known to be missing.
    public let incomplete: Bool
    /// Size of all track files in bytes; 0 while open.
    public let bytes: Int64
    /// Frames of all tracks that packets are missing from; 0 while open.
    public let damagedFrames: Int64
    /// The tracks by ordinal.
    public let tracks: [Track]

    /// Name of the camera.
    public var camera: String { opened.camera }
    /// The first frame.
    public var start: Moment { opened.start }

    /// One track of a clip.
    public struct Track: Hashable, Sendable {
        /// Place among the clip's tracks, from 0.
        public let ordinal: Int
        /// What it carries.
        public let kind: TrackKind
        /// RFC 6381 codec string.
        public let codec: String
        /// The file, relative to the root.
        public let path: String
        /// Size of the file; 0 while the clip is open.
        public let bytes: Int64
        /// Whole fragments; 0 while the clip is open.
        public let fragments: Int64
        /// Length of the media in milliseconds; 0 while the clip is open.
        public let durationMs: Int64
    }
}

/// What a timeline needs of a clip, and no more: read from one index, a microsecond each.
public struct ClipSpan: Hashable, Sendable, Identifiable {
    /// The clip.
    public let id: ClipID
    /// First frame, UTC epoch milliseconds.
    public let startWallMs: Int64
    /// End of the last frame, UTC epoch milliseconds; nil while open.
    public let endWallMs: Int64?
    /// Size of all track files in bytes; 0 while open.
    public let bytes: Int64
    /// Which retention rule it falls under.
    public let mediaClass: RetentionPlan.MediaClass
    /// Whether no rule may delete it.
    public let protected: Bool
    /// Whether media that it should hold is known to be missing.
    public let incomplete: Bool
}
