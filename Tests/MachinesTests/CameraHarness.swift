import Machines
import Testing

/// A small honest environment of one camera machine: it remembers what was ordered, answers only what is owed (or lies,
/// when the test asks for it), and names every order that breaks its duty (S1, S2, S6, S7, S10).
struct CameraHarness {
    var camera: Camera
    var now = Instant(ms: 1_000_000)
    var openDials: Set<DialNumber> = []
    var hungUp: Set<DialNumber> = []
    var opening: ClipNumber?
    var open: ClipNumber?
    var cutting = false
    var closing: Set<ClipNumber> = []
    var keeps = false
    var entered: EventNumber?
    var labelled: Coverage?
    var stopped = false
    var reports: [Camera.Report] = []
    var breaches: [String] = []

    init(_ intent: Intent, timing: Timing = Timing()) { camera = Camera(intent: intent, timing: timing) }

    /// A camera in continuous mode whose dial failed so often, and which streams since; its first clip is being opened.
    static func opening(failures: Int = 0, silenceMs: Int64 = 100_000_000) throws -> CameraHarness {
        var harness = CameraHarness(
            Intent(policy: Policy(mode: .continuous), connect: .auto), timing: Timing(silenceMs: silenceMs))
        harness.send(.tick)
        for _ in 0..<failures {
            harness.send(.dialFailed(try #require(harness.camera.link.current), .refused))
            while harness.camera.link.phase == .waiting { harness.pass(100) }
        }
        let dial = try #require(harness.camera.link.current)
        harness.send(.dialed(dial))
        harness.send(.keyframe(dial))
        try #require(harness.opening == ClipNumber(1))
        return harness
    }

    /// The clips that are ordered open.
    static func orders(_ effects: [Camera.Effect]) -> [Camera.ClipOrder] {
        effects.compactMap { if case .openClip(let order) = $0 { order } else { nil } }
    }

    /// Sends an event after `ms` milliseconds and takes in what the machine orders. A fact that comes late, behind deadlines, is one
    /// step, as it is for the daemon.
    @discardableResult
    mutating func send(_ event: Camera.Event, after ms: Int64 = 0) -> [Camera.Effect] {
        now = now + ms
        let before = camera
        let effects = camera.step(event, at: now)
        var again = before
        if again.step(event, at: now) != effects || again != camera { breaches.append("not deterministic") }
        // What time has brought due comes first; the environment may have said the event before it hears of that.
        var timeOnly = before
        let due = timeOnly.step(.tick, at: now)
        if !effects.starts(with: due) { breaches.append("\(event) changed what time brings due before it") }
        if case .ignored? = effects.last, effects.count == due.count + 1, camera != timeOnly {
            breaches.append("ignored \(event), but changed (S9)")
        }
        for effect in effects.prefix(due.count) { obey(effect) }
        learn(event, timeOnly)
        for effect in effects.dropFirst(due.count) { obey(effect) }
        check()
        return effects
    }

    /// Lets time pass, waking the machine whenever it asked to be.
    mutating func pass(_ ms: Int64) {
        let end = now + ms
        while let next = camera.nextDeadline, next <= end {
            now = max(next, now)
            send(.tick)
        }
        now = end
        send(.tick)
    }

    /// What the event itself says about the environment; a lie changes nothing. `camera`: before it takes the event.
    private mutating func learn(_ event: Camera.Event, _ camera: Camera) {
        switch event {
        case .hungUp(let number): if hungUp.remove(number) != nil { openDials.remove(number) }
        case .dialFailed(let number, _):
            guard hungUp.contains(number) || camera.link.phase == .dialing else { break }
            openDials.remove(number)
            hungUp.remove(number)
        case .lost(let number, _):
            openDials.remove(number)
            hungUp.remove(number)
        case .openFailed(let number), .keyframeMissing(let number):
            if opening == number { opening = nil }
            closing.remove(number)
        case .opened(let number, _, _):
            if opening == number {
                opening = nil
                open = number
            }
        case .cut(let number, _), .streamChanged(let number, _):
            if open == number, cutting || event.endsByItself {
                open = nil
                cutting = false
                closing.insert(number)
            }
        case .closed(let number, _): closing.remove(number)
        default: break
        }
    }

    private mutating func obey(_ effect: Camera.Effect) {
        if stopped, effect != .ignored(.stopped) { breaches.append("\(effect) after stopped (S8)") }
        switch effect {
        case .dial(let number, _):
            if !openDials.subtracting(hungUp).isEmpty { breaches.append("dial \(number) beside an open dial (S10)") }
            openDials.insert(number)
        case .hangUp(let number):
            if !openDials.contains(number) { breaches.append("hang-up of \(number), which is not open") }
            hungUp.insert(number)
        case .keepMedia(let keep):
            if keep == keeps { breaches.append("keepMedia(\(keep)) twice") }
            if !keep, open != nil || opening != nil { breaches.append("purged under an open clip (S7)") }
            keeps = keep
        case .openClip(let order):
            if opening != nil || open != nil { breaches.append("clip \(order.number) beside an open one (S1)") }
            if !keeps { breaches.append("clip \(order.number) opened while no media may be kept (S7)") }
            opening = order.number
            cutting = false
        case .closeClip(let number, let point, _): close(number, point)
        case .beginEvent(let number, _, _):
            if let entered { breaches.append("event \(number) entered beside \(entered) (S1)") }
            entered = number
        case .endEvent(let number, _):
            if entered != number { breaches.append("the end of \(number) entered, which does not run (S10)") }
            entered = nil
        case .noteDetection(let number, _):
            if entered != number { breaches.append("a detection noted for \(number), which does not run (S10)") }
        case .label(let label):
            if label == labelled { breaches.append("\(label) entered twice (S13)") }
            labelled = label
        case .report(let report): reports.append(report)
        case .noteSuppressed, .ignored: break
        case .stopped: stopped = true
        }
    }

    private mutating func close(_ number: ClipNumber, _ point: Camera.ClosePoint) {
        guard opening == number || open == number else {
            return breaches.append("close of \(number), which is not open")
        }
        switch point {
        case .keyframe:
            if cutting { breaches.append("cut of \(number) ordered twice") }
            if opening == number { breaches.append("cut of \(number) before it is open") }
            cutting = true
        case .now:
            if opening == number { opening = nil } else { open = nil }
            cutting = false
            closing.insert(number)
        }
    }

    private mutating func check() {
        let intent = camera.intent
        if !intent.recordingWanted, camera.recorder.clip != nil { breaches.append("a clip that is not wanted (S6)") }
        if !intent.eventsAllowed, camera.trigger.active != nil { breaches.append("an event that is not allowed (T7)") }
        if camera.keepsMedia != intent.eventsAllowed { breaches.append("the ring does not follow the intent (S7)") }
        if camera.recorder.closing.count > Recorder.maxClosing + 1 { breaches.append("too many clips closing (S1)") }
        if let next = camera.nextDeadline, next <= now { breaches.append("a due deadline was left at \(next.ms)") }
        if stopped, !camera.recorder.closing.isEmpty { breaches.append("stopped with clips owed (S8)") }
    }
}

extension Camera.Event {
    /// The clip ended without an order.
    fileprivate var endsByItself: Bool { if case .streamChanged = self { true } else { false } }
}
