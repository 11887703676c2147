public import Machines

/// The files of a clip as those who read it need them: where they lie, and which fragments they hold. The catalog keeps the
/// indexes of clips that are closed, the recorder those of the one that it writes.
public struct ClipFiles: Sendable {
    /// One track file.
    public struct Track: Hashable, Sendable {
        /// Video or audio.
        public let kind: TrackKind
        /// Its path below the root, components separated by `/`.
        public let path: String
        /// Its fragments as far as they may be read.
        public let index: FragmentIndex
        /// How many of them a power cut cannot take any more; all of them once the clip is closed.
        public let durable: Int

        /// A track file; `durable` is that of a closed clip unless given.
        public init(kind: TrackKind, path: String, index: FragmentIndex, durable: Int? = nil) {
            self.kind = kind
            self.path = path
            self.index = index
            self.durable = durable ?? index.entries.count
        }

        /// Bytes of the file up to the end of the last fragment.
        public var bytes: UInt64 { index.entries.last?.endOffset ?? index.headerBytes }
    }

    /// Where the paths lie.
    public let place: any TrackPlace
    /// The files, in the order in which they were begun.
    public let tracks: [Track]

    /// Files below a folder of this machine.
    public init(root: String, tracks: [Track]) { self.init(place: TrackFolder(root: root), tracks: tracks) }

    /// The files of a clip, wherever they lie.
    public init(place: any TrackPlace, tracks: [Track]) {
        self.place = place
        self.tracks = tracks
    }

    /// How long before a clip's start zero of its files lies, in milliseconds. A clip starts with its first picture, and sound
    /// that the camera sends after it may be of before; the files count from the earliest. 0 without pictures.
    public var leadMs: Int64 {
        guard let index = track(.video)?.index, let first = index.entries.first else { return 0 }
        return max(0, Ticks.rescale(Int64(clamping: first.decodeTime), from: index.timescale, to: 1_000))
    }

    /// The first file of a kind.
    public func track(_ kind: TrackKind) -> Track? { tracks.first { $0.kind == kind } }
}
