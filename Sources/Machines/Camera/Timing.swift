/// The bounds that the camera machine works with, all in milliseconds. Constant for the life of a machine.
public struct Timing: Hashable, Sendable, Codable {
    /// How long a dial may take until the camera has described its streams. The shell's own limit is shorter.
    public var dialMs: Int64
    /// How long a connected camera may send nothing.
    public var silenceMs: Int64
    /// When a missing key frame is warned about; the link is kept.
    public var keyframeMs: Int64
    /// When a missing key frame makes the link dial again; doubles with each failure, so that no finite distance
    /// between key frames is too long for ever.
    public var patienceMs: Int64
    /// How long a link must stream after its key frame before its failures are forgotten, so that a camera that breaks off
    /// again and again is not dialled each second. nil: with the key frame, as in traces that were written before.
    public var steadyMs: Int64?
    /// How long a hang-up may take before the next dial no longer waits for it.
    public var hangUpMs: Int64
    /// The least wait after a refused login, so that the camera does not lock the account, and after the camera has passed
    /// its budget.
    public var unauthorizedMs: Int64
    /// How long opening a clip may take.
    public var openMs: Int64
    /// How long a due cut waits for a key frame before it is forced, where nobody wants what comes now.
    public var graceMs: Int64
    /// How often a due cut whose media goes on to be wanted waits as long again. Then the link is dialled anew, which brings a
    /// key frame. nil: it is forced at once, as in traces that were written before.
    public var moreGraces: UInt8?
    /// How long a clip may take to become durable after its cut before it is reported incomplete.
    public var closeMs: Int64
    /// A rest shorter than this is not left as a clip of its own where the end is known. For the schedule's end `graceMs` is added:
    /// so long the cut before it may wait, where key frames are not further apart.
    public var restMs: Int64
    /// The waits before dialling again after the first, second … failure in a row; the last one holds for all later.
    public var redialMs: [Int64]
    /// The waits before opening a clip again, in the same way.
    public var retryMs: [Int64]
    /// The most failures in a row that are told apart; from there on the count alternates with one less.
    public var failureCap: UInt8
    /// How many failures double the patience for a key frame.
    public var patienceDoublings: UInt8
    /// The most that jitter adds to a wait, in percent of it.
    public var jitterPercent: Int64
    /// Seeds the jitter of the back-off; the shell hashes the camera's name.
    public var seed: UInt64

    /// The default bounds.
    public init(
        dialMs: Int64 = 12_000, silenceMs: Int64 = 10_000, keyframeMs: Int64 = 30_000, patienceMs: Int64 = 150_000,
        steadyMs: Int64? = 30_000, hangUpMs: Int64 = 5_000, unauthorizedMs: Int64 = 300_000, openMs: Int64 = 10_000,
        graceMs: Int64 = 60_000, moreGraces: UInt8? = 10, closeMs: Int64 = 30_000, restMs: Int64 = 10_000,
        redialMs: [Int64] = Self.waitsMs, retryMs: [Int64] = Self.waitsMs, failureCap: UInt8 = 7,
        patienceDoublings: UInt8 = 5, jitterPercent: Int64 = 20, seed: UInt64 = 0
    ) {
        self.dialMs = dialMs
        self.silenceMs = silenceMs
        self.keyframeMs = keyframeMs
        self.patienceMs = patienceMs
        self.steadyMs = steadyMs
        self.hangUpMs = hangUpMs
        self.unauthorizedMs = unauthorizedMs
        self.openMs = openMs
        self.graceMs = graceMs
        self.moreGraces = moreGraces
        self.closeMs = closeMs
        self.restMs = restMs
        self.redialMs = redialMs
        self.retryMs = retryMs
        self.failureCap = failureCap
        self.patienceDoublings = patienceDoublings
        self.jitterPercent = jitterPercent
        self.seed = seed
    }

    /// 1, 2, 4, 8, 16, 30 s.
    public static let waitsMs: [Int64] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
}
