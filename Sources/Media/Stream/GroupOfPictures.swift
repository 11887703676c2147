import Machines

/// The group of pictures that is under way: everything since the last frame at which decoding can begin.
struct GroupOfPictures {
    /// The most frames that are kept.
    static let framesMax = 2_000
    /// The most bytes of memory that they take.
    static let bytesMax = 8 << 20

    /// Its frames, of all tracks; empty while none is kept.
    private(set) var frames: [Frame] = []
    private var bytes = 0

    /// Takes the next frame and gives back what it displaced, to be released outside of any lock. A group that passes a bound
    /// is let go: half a group is of no use to anybody.
    mutating func take(_ frame: Frame) -> [Frame] {
        if frame.isVideoStart {
            defer {
                frames.reserveCapacity(64)
                frames.append(frame)
                bytes = frame.cost
            }
            return clear()
        }
        guard !frames.isEmpty else { return [] }
        guard frames.count < Self.framesMax, bytes + frame.cost <= Self.bytesMax else { return clear() }
        frames.append(frame)
        bytes += frame.cost
        return []
    }

    /// Lets go of everything and gives it back.
    mutating func clear() -> [Frame] {
        defer {
            frames = []
            bytes = 0
        }
        return frames
    }
}

extension Frame {
    /// Whether decoding of the stream's video can begin here.
    var isVideoStart: Bool { kind == .video && opensClip }
}
