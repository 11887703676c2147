import Synchronization

/// How much processor time looking at one camera may take: a share of one processor for ever, and so much beyond it, which time
/// gives back (H1). Past it nothing of the camera is looked at until half of that is given back. All detectors of a camera
/// share one.
public final class DetectionBudget: Sendable {
    /// The share of one processor that may be taken for ever, in percent. 1080p at 25 pictures a second, all of it
    /// moving, takes 7 (docs/MEASURED.md).
    static let processorPercentMax: Int64 = 50
    /// What may be taken beyond that share, in milliseconds.
    static let processorBurstMs: Int64 = 5_000
    /// It is kept again when it was not passed for so long, in milliseconds.
    static let calmMs: Int64 = 60_000

    private struct State {
        /// What is taken beyond the share at present, in hundredths of a microsecond.
        var excess: Int64 = 0
        var lastMs: Int64?
        /// Nothing is looked at.
        var isPaused = false
        /// When it was passed last; nil when that was told to be over.
        var passedMs: Int64?
    }

    private let percent: Int64
    private let burst: Int64
    private let state = Mutex(State())
    private let tell: @Sendable (_ isPassed: Bool) -> Void

    /// The budget of a camera. `tell` is called when it is passed, and when it has been kept for `calmMs` again; on any thread.
    public convenience init(tell: @escaping @Sendable (_ isPassed: Bool) -> Void = { _ in }) {
        self.init(processorPercentMax: Self.processorPercentMax, processorBurstMs: Self.processorBurstMs, tell: tell)
    }

    /// A budget of another size.
    init(processorPercentMax: Int64, processorBurstMs: Int64, tell: @escaping @Sendable (_ isPassed: Bool) -> Void) {
        percent = processorPercentMax
        burst = processorBurstMs * 100_000
        self.tell = tell
    }

    /// The bound in words, with its name.
    public static var words: String {
        """
        more than \(processorPercentMax) % of one processor, and \(processorBurstMs) ms beyond that (detection's \
        processorPercentMax)
        """
    }

    /// Whether frames of the camera may be looked at. `ms`: a clock that does not go back.
    func mayLook(atMs ms: Int64) -> Bool { spend(ns: 0, atMs: ms) }

    /// So much was taken; whether more may be.
    @discardableResult package func spend(ns: UInt64, atMs ms: Int64) -> Bool {
        let (isAllowed, change) = state.withLock { state -> (Bool, Bool?) in
            let givenMs = max(0, ms - (state.lastMs ?? ms))
            state.lastMs = ms
            state.excess = max(0, state.excess + Int64(clamping: ns / 10) - givenMs * 1_000 * percent)
            if state.excess > burst {
                state.isPaused = true
                defer { state.passedMs = ms }
                return (false, state.passedMs == nil ? true : nil)
            }
            if state.isPaused, state.excess <= burst / 2 { state.isPaused = false }
            guard let passedMs = state.passedMs, ms - passedMs >= Self.calmMs else { return (!state.isPaused, nil) }
            state.passedMs = nil
            return (!state.isPaused, false)
        }
        if let change { tell(change) }
        return isAllowed
    }
}
