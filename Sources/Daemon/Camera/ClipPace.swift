internal import Machines
internal import Media

/// What the input's thread knows of a camera's clips, to decide when the queue has something to do.
struct ClipPace {
    /// A fragment is written at the latest after this long without a key frame, in milliseconds.
    static let chunkMs: Int64 = 10_000
    /// The same in bytes of memory; no more is collected.
    static let chunkBytes = 8 << 20

    private var isOpen: Bool
    private var since: Instant?
    private var bytes = 0

    /// Of a clip that is open, or of none.
    init(isOpen: Bool = false) { self.isOpen = isOpen }

    /// A frame was stored. Returns whether a stretch is worth writing.
    mutating func take(_ frame: Frame, opensClip: Bool) -> Bool {
        guard isOpen else { return false }
        bytes += frame.cost
        let began = since ?? frame.arrival
        since = began
        guard opensClip || frame.arrival - began >= Self.chunkMs || bytes >= Self.chunkBytes else { return false }
        since = frame.arrival
        bytes = 0
        return true
    }
}
