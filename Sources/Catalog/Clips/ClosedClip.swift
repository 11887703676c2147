public import Foundation
public import Machines

/// What is known of a clip when its files are whole and durable.
public struct ClosedClip: Hashable, Sendable {
    /// The end of the last frame.
    public var end: Moment
    /// Why it ended.
    public var ended: ClipEnd
    /// Whether media that it should hold is known to be missing.
    public var incomplete: Bool
    /// What each track file holds, by its ordinal (the order in which they were given to `openClip`).
    public var tracks: [TrackContents]

    /// A clip to be closed.
    public init(end: Moment, ended: ClipEnd, incomplete: Bool = false, tracks: [TrackContents]) {
        self.end = end
        self.ended = ended
        self.incomplete = incomplete
        self.tracks = tracks
    }
}

/// What a track file holds, as its writer knows it or a scan finds it.
public struct TrackContents: Hashable, Sendable {
    /// Size of the file in bytes, a torn last fragment already cut.
    public var bytes: Int64
    /// Whole fragments.
    public var fragments: Int64
    /// Length of the media in milliseconds.
    public var durationMs: Int64
    /// The fragment index as Media encodes it.
    public var index: Data
    /// Frames that packets are missing from.
    public var damagedFrames: Int64
    /// RFC 6381 codec string, where the file tells; a rebuild needs it.
    public var codec: String?

    /// A track's contents; `bytes`, `fragments`, `durationMs` and `damagedFrames` are 0 or more.
    public init(
        bytes: Int64, fragments: Int64, durationMs: Int64, index: Data, codec: String? = nil, damagedFrames: Int64 = 0
    ) {
        self.bytes = bytes
        self.fragments = fragments
        self.durationMs = durationMs
        self.index = index
        self.damagedFrames = damagedFrames
        self.codec = codec
    }
}

/// Reads the track file at the absolute path given and tells what its whole fragments are. With `cut` it also cuts a torn
/// last fragment off the file; without, the file must not be changed (`bytes` is then what a cut would leave). A file
/// without a whole fragment (empty, torn header) gives `fragments` 0 and does not throw. Blocking.
public typealias ContentsScanner = @Sendable (_ path: String, _ cut: Bool) throws -> TrackContents

/// Compares all of a track file (`path` below `root`) with the index that Media encoded for it; throws what is not as the
/// index has it. Changes nothing. Blocking.
public typealias TrackVerifier = @Sendable (_ root: String, _ path: String, _ index: Data) throws -> Void
