internal import Catalog
internal import Machines

/// What the store lets be done, learnt from its answers (docs/design/cloud.md "Outages and refusals"): how many transfers at once,
/// and none at all while it refuses everybody.
struct StoreGate {
    /// How long a store that refused is left alone at first, and at most, in milliseconds.
    static let probeMs: Int64 = 60_000
    static let probeMaxMs: Int64 = 15 * 60_000
    /// After how long without a request to slow down one more transfer is begun at once, in milliseconds.
    static let easeMs: Int64 = 60_000

    private enum State {
        case open
        /// Nobody answers, since then: those in hand go on to try, no other is begun.
        case outage(since: Instant)
        /// The store refuses, for a reason that holds for every clip: only the job that met it uses up its tries.
        case shut(Refused)
        /// It answers again; one transfer is begun to see whether it takes clips.
        case trial
    }

    private struct Refused {
        let job: UploadID
        let words: String
        let next: Instant
    }

    private var state = State.open
    /// Transfers that may be under way at once, below what is configured; nil: as many.
    private var slots: (count: Int, since: Instant)?
    /// How often in a row the store was asked and had not changed its mind.
    private var probes = 0
    private(set) var isProbing = false

    /// Whether a refusal is in force.
    var isShut: Bool { if case .shut = state { true } else { false } }

    /// Whether one transfer is tried, after a refusal.
    var isTrial: Bool { if case .trial = state { true } else { false } }

    /// Why nothing new is begun, in words; nil where nothing is in the way.
    var words: String? {
        switch state {
        case .open, .trial: nil
        case .outage: "the store cannot be reached"
        case .shut(let refused): refused.words
        }
    }

    /// How many more jobs of closed clips may be taken, where `parallel` transfers may be under way at once. Of several places one
    /// is left to clips that are sent live. Never below 0.
    func room(parallel: Int, inHand: some Collection<UploadWork>) -> Int {
        let inHand = inHand.filter { !$0.isWithEncoder }
        let others = inHand.filter { $0.live == nil }
        let left = room(parallel: parallel, atWork: inHand.count { $0.isAtWork }, inHand: others.count)
        let most = min(parallel, slots?.count ?? parallel)
        guard case .open = state, others.count < inHand.count, most > 1 else { return left }
        return max(0, min(left, most - 1 - others.count { $0.isAtWork }))
    }

    /// How many more jobs may be taken, where `inHand` are taken and `atWork` of them move something; `parallel` is what the
    /// configuration lets be at work. Never below 0.
    func room(parallel: Int, atWork: Int, inHand: Int) -> Int {
        switch state {
        case .open: max(0, min(parallel, slots?.count ?? parallel) - atWork)
        case .outage, .trial: inHand == 0 ? 1 : 0
        case .shut: 0
        }
    }

    /// How many more rounds of clips that are sent live may begin. Whether any of them may is its machine's word, which waits after
    /// an outage.
    func liveRoom(parallel: Int, inHand: some Collection<UploadWork>) -> Int {
        max(0, min(parallel, slots?.count ?? parallel) - inHand.count { $0.isAtWork })
    }

    /// Whether a job may send.
    func lets(_ job: UploadID) -> Bool {
        if case .shut(let refused) = state { refused.job == job } else { true }
    }

    /// Nobody answered. Says whether that is news.
    mutating func unreachable(at now: Instant) -> Bool {
        switch state {
        case .outage, .shut: return false
        case .open, .trial:
            state = .outage(since: now)
            return true
        }
    }

    /// The store refused for a reason that is not the clip's. Says whether that is news.
    mutating func refused(_ job: UploadID, _ words: String, at now: Instant) -> Bool {
        let isNews = !isShut
        if case .shut(let before) = state, before.job != job { return false }
        state = .shut(Refused(job: job, words: words, next: isNews ? now + wait : nextProbe ?? now + wait))
        return isNews
    }

    private var wait: Int64 { min(Self.probeMs << Int64(min(probes, 10)), Self.probeMaxMs) }
    private var nextProbe: Instant? { if case .shut(let refused) = state { refused.next } else { nil } }

    /// The store asks to be left in peace.
    mutating func slowDown(from count: Int, at now: Instant) { slots = (max(1, (slots?.count ?? count) / 2), now) }

    /// Something was sent. Says how long nobody had answered, if that ends now.
    mutating func moved(at now: Instant) -> Int64? {
        defer { (state, probes) = (.open, 0) }
        if case .outage(let since) = state { return now - since }
        return nil
    }

    /// Lets transfers be more again.
    mutating func look(at now: Instant) {
        guard let current = slots, now - current.since >= Self.easeMs else { return }
        slots = (current.count + 1, now)
        if current.count >= 32 { slots = nil }
    }

    /// Whether the store is to be asked whether it still refuses; whoever is told so asks, and says `probed`.
    mutating func wantsProbe(at now: Instant) -> Bool {
        guard case .shut(let refused) = state, refused.next <= now, !isProbing else { return false }
        isProbing = true
        return true
    }

    /// The store was asked.
    mutating func probed(_ isAnswered: Bool, at now: Instant) {
        isProbing = false
        guard case .shut(let refused) = state else { return }
        probes += 1
        state = isAnswered ? .trial : .shut(Refused(job: refused.job, words: refused.words, next: now + wait))
    }

    /// Somebody asks to try again: the store is asked at once.
    mutating func isAsked() {
        guard case .shut(let refused) = state else { return }
        state = .shut(Refused(job: refused.job, words: refused.words, next: Instant(ms: 0)))
    }
}
