internal import Machines
internal import Media

/// What the input's thread knows of a camera's clips, to decide when the queue has something to do.
struct ClipPace {
    /// What there is to do.
    enum Work {
        case none
        /// A stretch is worth writing.
        case write
        /// A clip that was ordered begins.
        case begin
    }

    /// A fragment is written at the latest after this long without a key frame, in milliseconds.
    static let chunkMs: Int64 = 10_000
    /// The same in bytes of memory; no more is collected.
    static let chunkBytes = 8 << 20

    private var isOpen: Bool
    private var since: Instant?
    private var bytes = 0
    /// A clip is to begin with the next start.
    var isAwaited = false

    /// Of a clip that is open, or of none.
    init(isOpen: Bool = false) { self.isOpen = isOpen }

    /// A frame was stored.
    mutating func take(_ frame: Frame, opensClip: Bool) -> Work {
        if opensClip, isAwaited {
            isAwaited = false
            return .begin
        }
        guard isOpen else { return .none }
        bytes += frame.cost
        let began = since ?? frame.arrival
        since = began
        guard opensClip || frame.arrival - began >= Self.chunkMs || bytes >= Self.chunkBytes else { return .none }
        since = frame.arrival
        bytes = 0
        return .write
    }
}
