public import Machines

/// What a live viewer is sent, made of what a stream gives: for each run the headers of its tracks, then fragments. A run ends
/// with the dial, or where the camera changes how a track is coded; the next one has headers and a time line of its own.
///
/// A value for one viewer: it knows no connection, and what it holds is bounded.
public struct LiveFragments: Sendable {
    /// Where fragments end.
    public enum Cutting: Sendable {
        /// After each picture.
        case frame
        /// Before each picture at which decoding can begin.
        case group
    }

    /// A track of a run.
    public struct Track: Sendable {
        /// Its ordinal in the dial.
        public let ordinal: Int
        /// What comes before its fragments.
        public let header: TrackHeader

        /// What it carries.
        public var kind: TrackKind { header.configuration.kind }
    }

    /// A fragment of a run.
    public struct Piece: Sendable {
        /// Its place among the tracks of its run.
        public let track: Int
        /// The fragment.
        public let cut: FragmentMaker.Cut
        /// When its first frame arrived.
        public let arrival: Instant
        /// Whether decoding can begin at its first frame.
        public let isStart: Bool
    }

    /// What the viewer is sent.
    public enum Item: Sendable {
        /// A run begins, with these tracks.
        case began([Track])
        /// A fragment of it.
        case piece(Piece)
        /// So many frames were left out because the viewer was slow.
        case skipped(Int)
        /// The connection to the camera is over; a run begins when it is back.
        case lost
        /// Nothing follows.
        case ended(StreamEnd)
    }

    /// Zero of a run lies so much before its first picture: sound that comes after a picture may have to be heard before it.
    static let leadMs: Int64 = 1_000

    private let cutting: Cutting
    private let sound: SoundForm
    private var dial: StreamDial?
    private var run: LiveRun?

    /// For a viewer that watches with `sound`; sound that fragments cannot hold is left out.
    public init(_ cutting: Cutting, sound: SoundForm) {
        self.cutting = cutting
        self.sound = sound
    }

    /// What the viewer is sent for `item`, in order.
    public mutating func take(_ item: StreamItem) -> [Item] {
        switch item {
        case .began(let dial):
            (self.dial, run) = (dial, nil)
            return []
        case .frame(let frame): return take(frame)
        case .skipped(let count): return [.skipped(count)]
        case .lost:
            (dial, run) = (nil, nil)
            return [.lost]
        case .ended(let why): return [.ended(why)]
        }
    }

    private mutating func take(_ frame: Frame) -> [Item] {
        guard let dial, frame.configuration.coded != nil, frame.kind == .video || sound != .none else { return [] }
        let isStart = dial.hasVideo ? frame.isVideoStart : true
        var items: [Item] = []
        if let run, !run.accepts(frame) {
            // What is coded otherwise begins with a picture at which decoding can begin; until then nothing of it is of use.
            self.run?.isOver = true
        }
        if run?.isOver ?? true, isStart {
            run = LiveRun(dial, frame, sound)
            if let run { items.append(.began(run.tracks)) }
        }
        guard let run, run.accepts(frame) else { return items }
        do {
            items += try self.run?.take(frame, isStart: isStart, cutting).map(Item.piece) ?? []
        } catch {
            // Its parameters cannot be written: nothing more of this run.
            self.run = nil
        }
        return items
    }
}
