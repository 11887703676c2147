import Machines

/// Fragments between two changes of what the tracks are: one set of headers, one time line.
struct LiveRun: Sendable {
    /// The most frames that wait to be cut, and bytes of them; then they are cut, wherever that is.
    static let framesMax = 2_000
    static let bytesMax = 8 << 20
    /// How long a fragment of a group is where there is no picture, in milliseconds.
    static let groupMs: Int64 = 1_000

    let tracks: [LiveFragments.Track]
    private let hasVideo: Bool
    private var maker = FragmentMaker(leadMs: LiveFragments.leadMs)
    private var waiting = (frames: 0, bytes: 0)
    private var cutAt: Instant
    /// A frame has come that cannot follow.
    var isOver = false

    /// A run that begins with `first`; nil where the dial has nothing that fragments can hold.
    init?(_ dial: StreamDial, _ first: Frame, _ sound: SoundForm) {
        hasVideo = dial.hasVideo
        cutAt = first.arrival
        tracks = dial.tracks.compactMap { track in
            guard track.kind == .video || sound != .none else { return nil }
            let parameters = track.ordinal == first.track ? first.configuration.parameters : track.parameters
            guard let parameters, let coded = try? parameters.coded() else { return nil }
            let header = TrackHeader(
                coded, timescale: UInt32(clamping: parameters.timescale), rotation: parameters.rotation)
            return LiveFragments.Track(ordinal: track.ordinal, header: header)
        }
        guard tracks.contains(where: { $0.ordinal == first.track }) else { return nil }
    }

    /// Whether `frame` can follow.
    func accepts(_ frame: Frame) -> Bool {
        guard !isOver, let track = tracks.first(where: { $0.ordinal == frame.track }) else { return false }
        return track.header.configuration == frame.configuration.coded
            && track.header.rotation == frame.configuration.parameters.rotation
    }

    /// Takes a frame and gives what it completes.
    mutating func take(
        _ frame: Frame, isStart: Bool, _ cutting: LiveFragments.Cutting
    ) throws -> [LiveFragments.Piece] {
        var pieces: [LiveFragments.Piece] = []
        let endsGroup = hasVideo ? isStart : frame.arrival - cutAt >= Self.groupMs
        if cutting == .group, endsGroup || isFull { pieces = cut(next: frame) }
        maker.append(frame)
        try maker.sort()
        waiting = (waiting.frames + 1, waiting.bytes + frame.cost)
        if cutting == .frame, !hasVideo || frame.kind == .video || isFull { pieces = cut(next: nil) }
        return pieces
    }

    private var isFull: Bool { waiting.frames >= Self.framesMax || waiting.bytes >= Self.bytesMax }

    private mutating func cut(next: Frame?) -> [LiveFragments.Piece] {
        waiting = (0, 0)
        if let next { cutAt = next.arrival }
        return tracks.indices.compactMap { index in
            guard let cut = maker.cut(tracks[index].ordinal, next: next), let first = cut.frames.first else {
                return nil
            }
            return LiveFragments.Piece(
                track: index, cut: cut, arrival: first.arrival, isStart: !hasVideo || first.isVideoStart)
        }
    }
}
