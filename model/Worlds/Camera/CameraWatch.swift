internal import Machines

/// Somebody who sees only what comes into a camera's machine and what it orders and tells, never its state, and counts ticks. What the
/// rules promise over a stretch of time is judged by that: gaps between tries, lengths, bounds, reasons.
///
/// It is written for views of one policy with a connection that is always wanted.
struct CameraWatch: Hashable, Sendable {
    /// What can be found wrong, each a promise of docs/design/rules.md.
    enum Finding: String, CaseIterable, Sendable {
        case dials = "S16 between a failure of the link and the next dial its whole back-off passes"
        case silence = "L2 a link is given up after its bound of silence, no sooner and no later"
        case dialBound = "Link a dial is waited for until its bound, no shorter and no longer"
        case hangUp = "S10 a hang-up is waited for until its bound, and no dial comes before"
        case keyFrame = "L2 a missing key frame is told and ends the link when its patience is over, which grows"
        case keyFrameAnew = "L2 the key frame that an ordered clip lacked is waited for like the first one after a dial"
        case waits = "S16 the wait that is told is that of the failures so far: a clip that lacks its key frame is none"
        case opens = "S16 between a clip that failed and the next opening its whole back-off passes"
        case openBound = "Recorder an opening is waited for until its bound, no shorter and no longer"
        case length = "L3 a clip is cut for its length when it has it, no sooner and no later"
        case cutReason = "S3 a clip whose event ends is cut for the reason for which the event ended"
        case grace = "L3 a cut waits for a key frame until its bound, and longer only while what comes is wanted"
        case graces = "L3 a cut that waits on because what comes is wanted is told the first time, and not again"
        case closing = "S1 a closing is waited for until its bound, no shorter and no longer"
        case preRoll = "S2 an event asks for pre-roll until one of its clips is open, and not after"
        case endsAsTold = "T3 an event ends when it was last said to end, and tells truly when that is"
        case longest = "S4 no event is longer than the greatest max length that took part"
        case limitNamed = "T3 only an event that has its greatest length ends for its limit"
        case prolongs = "T2 a detection prolongs once per window, by the augmentation"
        case suppressed = "S11 each trigger counts or is told as suppressed, once, and without one nothing is"
        case reason = "S11 what is suppressed or refused is so for the first reason that a bystander sees"
        case entered =
            "S11 what does not count is entered under the event that runs, or whose blind time runs, else under none"
        case begins = "T1 what counts while no event is active and no blind time runs begins one"
        case chained = "T5 an event begins by itself only for what a command asks beyond the limit, as long as it asked"
        case silent =
            "T7 an event begins without a trigger only where a window ran silently and nothing forbade it since"
        case blind = "S5 blind time runs from the end of what it waits for as long as the policy says"
        case source = "L6 a source is on until it is cleared, or as long as it may be without a word"
        case label = "S13 the label is what a bystander would say"
    }

    /// A clip that is being closed.
    struct Closing: Hashable {
        var age = 0
        var isOfEvent: Bool
    }

    // What was said of the intent.
    var enabled: Bool
    var hard = false
    var soft = false
    var draining = false
    var storage: Storage
    // The link.
    var failures = 0
    var wait = 0
    var dialing: Int?
    var connected: Int?
    var heard = 0
    var hasKey = false
    /// A clip was ordered and no key frame was there for it; the next one of this dial has not come.
    var lacksKey = false
    /// Ticks of streaming, until failures before it are forgotten.
    var streamed: Int?
    var warned: Int?
    var hangUp: Int?
    // The recorder.
    var clipFailures = 0
    var clipWait = 0
    var opening: Int?
    var writing: Int?
    var cutting: Int?
    /// The cut has been told to wait on.
    var isTold = false
    var isOfEvent = false
    var closing: [Closing] = []
    var asksPreRoll = false
    // The trigger. Times are what is left.
    var until: Int?
    var limit = 0
    var length = 0
    var windowBefore: Int?
    var commanded = false
    /// For how many ticks yet a command is to be followed.
    var asked = 0
    /// For how many ticks yet a silent window may run, at most.
    var silent = 0
    /// It began in a window that nobody was told of, so it may end sooner.
    var isRest = false
    var blindOwed = false
    var blind = 0
    var source: Int?
    /// It has been told as suppressed since it came on.
    var isSuppressed = false
    var label: Coverage?

    init(_ view: CameraConfiguration) { (enabled, storage) = (view.enabled, view.storage) }

    /// What a step showed.
    struct Judgement {
        var broken: Set<CameraWatch.Finding> = []
        /// What it was a case of.
        var cases: Set<CameraWatch.Finding> = []
        /// An event ended in this step by itself.
        var ended: Trigger.Why?

        mutating func demand(_ holds: Bool, _ finding: CameraWatch.Finding) {
            cases.insert(finding)
            if !holds { broken.insert(finding) }
        }
    }

    /// Sees a step and judges it.
    mutating func see(_ fact: CameraFact, _ effects: [Camera.Effect], _ view: CameraConfiguration) -> Judgement {
        var judgement = Judgement()
        let isTaken = !effects.contains { if case .ignored = $0 { true } else { false } }
        if fact == .tick { pass(view) }
        let before = self
        if isTaken { hear(fact, view) }
        for effect in effects {
            ofLink(effect, before, view, &judgement)
            ofRecorder(effect, fact, before, view, &judgement)
            ofTrigger(effect, fact, view, &judgement)
            if case .label(let now) = effect { label = now }
            if effect == .stopped { (source, isSuppressed) = (nil, false) }
        }
        settle(view)
        if fact == .tick { bounds(view, &judgement) }
        if isTaken { triggers(fact, effects, before, view, &judgement) }
        judgement.demand(label == seen(view), .label)
        return judgement
    }

    /// A bound that a view leaves out is not counted.
    private func older(_ age: Int?, _ bound: Int) -> Int? {
        age.map { bound == CameraConfiguration.never ? 0 : min($0 + 1, bound + 1) }
    }

    private mutating func pass(_ view: CameraConfiguration) {
        wait = max(wait - 1, 0)
        dialing = older(dialing, view.dial)
        if connected != nil { heard = older(heard, view.silence) ?? 0 }
        streamed = streamed.map { $0 + 1 }
        if streamed == view.steady {
            if heard < view.silence { failures = 0 }
            streamed = nil
        }
        if !hasKey { connected = older(connected, view.keyWarn) }
        warned = older(warned, view.keyLong << view.keyShift)
        hangUp = older(hangUp, view.hangBound)
        clipWait = max(clipWait - 1, 0)
        opening = older(opening, view.openBound)
        writing = older(writing, view.clipLength)
        cutting = older(cutting, view.grace * (1 + view.moreGraces))
        for index in closing.indices { closing[index].age = min(closing[index].age + 1, view.closeBound + 1) }
        until = until.map { $0 - 1 }
        limit = max(limit - 1, 0)
        length = until == nil ? 0 : min(length + 1, max(view.commandM, 9))
        windowBefore = windowBefore.map { max($0 - 1, 0) }
        blind = max(blind - 1, 0)
        asked = max(asked - 1, 0)
        silent = max(silent - 1, 0)
        source = older(source, view.stale)
    }

    /// What comes in.
    private mutating func hear(_ fact: CameraFact, _ view: CameraConfiguration) {
        switch fact {
        case .drain: (draining, wait) = (true, 0)
        case .enabled(let on): enabled = on
        case .hard(let on): hard = on
        case .soft(let on): soft = on
        case .storage(let now):
            if storage == .lost { clipWait = 0 }
            storage = now
        case .connect: (failures, wait) = (0, 0)
        case .dialed(.cur): (dialing, connected, heard, hasKey) = (nil, 0, 0, false)
        case .packets(_, let ago): heard = min(heard, ago)
        case .keyframe:
            if !hasKey, failures > 0, view.steady > 0 { streamed = 0 }
            if view.steady == 0 { failures = 0 }
            (heard, hasKey, warned, lacksKey) = (0, true, nil, false)
        case .hungUp(.hung), .dialFailed(.hung, _), .lost(.hung): hangUp = nil
        case .closed(let number, let complete):
            if complete { clipFailures = 0 }
            if let index = number.closing, index < closing.count { closing.remove(at: index) }
        case .openFailed(.cur): (opening, isOfEvent) = (nil, false)
        case .keyframeMissing(.cur):
            (opening, isOfEvent) = (nil, false)
            (connected, hasKey, warned, streamed, lacksKey) = (0, false, nil, nil, true)
        case .openFailed(let number), .keyframeMissing(let number):
            if let index = number.closing, index < closing.count { closing.remove(at: index) }
        case .opened(_, let back): writing = back
        case .command where enabled && forbids(view) == nil:
            asked = max(asked, view.commandI)
            if until != nil { (commanded, limit) = (true, max(limit, view.commandM - length)) }
        case .asserted: source = 0
        case .cleared: (source, isSuppressed) = (nil, false)
        default: break
        }
    }
}
