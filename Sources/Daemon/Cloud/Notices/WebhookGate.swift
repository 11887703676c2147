internal import Machines
internal import Webhook

/// What a receiver lets be sent, learnt from its answers (docs/design/cloud.md "The webhook"): to all while it takes notices, one trial
/// at a time while it does not, and nothing of a line whose next message it does not want, for a while. A line is what is sent in its
/// order: a job of the upload queue with its notices, or a notification alone.
struct WebhookGate {
    /// How long it waits after a failure at first, after a refusal at first, and at most, in milliseconds.
    static let waitMs: Int64 = 1_000
    static let refusedMs: Int64 = 60_000
    static let waitMaxMs: Int64 = 15 * 60_000
    /// The most lines of which something is sent at once.
    static let parallel = 4
    /// The most that one of them takes, in bytes: a message, and as much of an answer as is read.
    static let messageBytes = 128 << 10
    /// After how many notices in a row that were not taken, each for a reason of its own, the receiver takes nothing.
    static let failuresMax = 4
    /// The most lines that rest; beyond them the receiver takes nothing.
    static let restingMax = 1_000

    /// An outage.
    struct Outage: Hashable, Sendable {
        /// Since when, UTC epoch milliseconds.
        let sinceWallMs: Int64
        /// Why the last trial failed, in words.
        var words: String
        /// How many trials failed.
        var failures: Int
        /// When the next one may begin.
        var next: Instant
    }

    /// What a failure is for those who hear of it.
    enum News: Hashable, Sendable {
        /// Nothing new.
        case none
        /// An outage begins.
        case outage
        /// A notice is not taken.
        case refused
    }

    private(set) var outage: Outage?
    /// The lines whose next message waits, how often it was not taken, and until when.
    private(set) var resting: [Int64: (failures: Int, until: Instant)] = [:]
    /// How many notices were not taken since the last that was.
    private var failuresInARow = 0

    /// An outage that began before the start.
    init(failingSinceWallMs: Int64? = nil) {
        outage = failingSinceWallMs.map {
            Outage(sinceWallMs: $0, words: "not asked since the start", failures: 0, next: Instant(ms: 0))
        }
    }

    /// Of how many more lines something may be sent, where `atWork` are under way. Never below 0.
    func room(atWork: Int, at now: Instant) -> Int {
        guard let outage else { return max(0, Self.parallel - atWork) }
        return atWork == 0 && outage.next <= now ? 1 : 0
    }

    /// The lines that are left out now.
    func left(at now: Instant) -> Set<Int64> { Set(resting.filter { $0.value.until > now }.keys) }

    /// When something that waits may be sent; nil: nothing waits.
    func next(after now: Instant) -> Instant? {
        let rested = resting.values.map(\.until).filter { $0 > now }.min()
        guard let outage, outage.next > now else { return rested }
        return outage.next
    }

    /// A message of a line was taken. Gives the outage that ends with it.
    mutating func told(_ line: Int64) -> Outage? {
        resting[line] = nil
        failuresInARow = 0
        defer { outage = nil }
        return outage
    }

    /// The message of a line was given up.
    mutating func forget(_ line: Int64) { resting[line] = nil }

    /// Notices were given up: what rests may have nothing to be told any more.
    mutating func forgetResting() { resting = [:] }

    /// Something may have been mended: what waits is tried at once.
    mutating func isAsked() {
        forgetResting()
        outage?.next = Instant(ms: 0)
    }

    /// A message of a line was not taken.
    ///
    /// - Parameter share: where in the second half of the wait the next try lies, in thousandths: so that many sites do not come at
    ///   once.
    mutating func failed(
        _ line: Int64, _ failure: WebhookFailure, share: Int64, at now: Instant, wallMs: Int64
    ) -> News {
        var isOutage = true
        var isNews = false
        if failure.kind == .failed || failure.kind == .declined {
            let failures = (resting[line]?.failures ?? 0) + 1
            isNews = failures == 1
            let first = failure.kind == .declined ? Self.waitMaxMs : Self.waitMs
            let wait = Self.wait(first, failures, share, failure)
            if resting[line] != nil || resting.count < Self.restingMax { resting[line] = (failures, now + wait) }
            failuresInARow += 1
            isOutage = outage != nil || failuresInARow >= Self.failuresMax || resting[line] == nil
        }
        guard isOutage else { return isNews ? .refused : .none }
        let before = outage
        var after =
            before ?? Outage(sinceWallMs: wallMs, words: failure.words, failures: 0, next: now)
        after.failures += 1
        after.words = failure.words
        let first = failure.kind == .refused || failure.kind == .declined ? Self.refusedMs : Self.waitMs
        after.next = now + Self.wait(first, after.failures, share, failure)
        outage = after
        return before == nil ? .outage : .none
    }

    /// The wait after so many failures: twice as long each time, at most `waitMaxMs`, between half and all of it.
    private static func wait(_ firstMs: Int64, _ failures: Int, _ share: Int64, _ failure: WebhookFailure) -> Int64 {
        let whole = min(firstMs << Int64(min(max(failures - 1, 0), 20)), waitMaxMs)
        let wait = whole / 2 + whole / 2 * min(max(share, 0), 1_000) / 1_000
        return min(max(wait, failure.retryAfterMs ?? 0), waitMaxMs)
    }
}
