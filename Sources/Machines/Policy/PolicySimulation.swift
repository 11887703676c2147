/// The camera machine in a world that answers every order at once and well: what a policy would have recorded, given what
/// happened.
///
/// It takes the facts that no policy decides (detections, sources, commands, toggles, storage, whether the camera could be
/// reached) and lets the same machine that records decide. Its disk never fails and its cameras send a key frame every
/// `keyframeMs`, so clips end at most that much later than their event, and what the real disk lost is not in it.
public struct PolicySimulation: Sendable {
    /// What happened, whatever the policy was.
    public enum Fact: Hashable, Sendable {
        /// A detection, source, command, toggle, policy, privacy, storage or number of viewers; any other event is left out.
        case event(Camera.Event)
        /// Whether the camera can be reached and sends pictures.
        case reachable(Bool)
    }

    /// A clip that would have been recorded.
    public struct Clip: Hashable, Sendable {
        /// Its first frame.
        public let start: Instant
        /// The end of its last frame.
        public internal(set) var end: Instant
        /// Why it was begun.
        public let cause: ClipCause
        /// Why it ended; nil while it is open.
        public internal(set) var ended: ClipEnd?
        /// The event it belongs to.
        public let event: EventNumber?
    }

    /// An event that would have been.
    public struct Event: Hashable, Sendable {
        /// Its number in this simulation.
        public let number: EventNumber
        /// Its first trigger.
        public let began: Instant
        /// Its end; nil while it is active.
        public internal(set) var ended: Instant?
        /// What began it.
        public let cause: ClipCause
        /// Why it ended.
        public internal(set) var why: Trigger.Why?
    }

    /// A detection that began or prolonged nothing because of a rule.
    public struct Suppressed: Hashable, Sendable {
        /// When.
        public let at: Instant
        /// Its level; nil if it was an asserted source.
        public let level: Sensitivity?
        /// The rule.
        public let why: Camera.Suppression
    }

    /// The clips, in order; the last one may be open.
    public private(set) var clips: [Clip] = []
    /// The events, in order; the last one may be active.
    public private(set) var events: [Event] = []
    /// The detections that were suppressed, in order.
    public private(set) var suppressed: [Suppressed] = []
    /// The labels that coverage took on, in order.
    public private(set) var labels: [(at: Instant, label: Coverage)] = []
    /// The machine as it is now.
    public private(set) var camera: Camera
    private let keyframeMs: Int64
    private var isReachable: Bool
    private var streamingSince: Instant?
    private var keptSince: Instant?
    private var dial: DialNumber?
    private var cutAt: (clip: ClipNumber, at: Instant)?
    private var now: Instant

    /// A simulation that begins at `at` with nothing recorded.
    public init(intent: Intent, reachable: Bool, keyframeMs: Int64 = 2_000, at: Instant) {
        var timing = Timing()
        // The world says by itself when it cannot be reached.
        timing.silenceMs = .max / 4
        timing.keyframeMs = .max / 4
        camera = Camera(intent: intent, timing: timing)
        self.keyframeMs = max(keyframeMs, 1)
        isReachable = reachable
        now = at
        step(.tick, at: at)
    }

    /// Takes a fact at `at`, and everything that time has brought due before it. Facts come in the order of time; an earlier
    /// one counts as of now.
    public mutating func take(_ fact: Fact, at: Instant) {
        pass(until: at)
        switch fact {
        case .reachable(let isReachable): reach(isReachable)
        case .event(let event):
            switch event {
            case .detected, .asserted, .cleared, .commanded, .enabled, .policy, .privacy, .storage, .viewers:
                step(event, at: now)
            case .tick, .dialed, .dialFailed, .keyframe, .packets, .lost, .hungUp, .opened, .openFailed,
                .keyframeMissing, .cut, .streamChanged, .writeFailed, .closed, .connect, .drain:
                break
            }
        }
    }

    /// Lets time pass.
    public mutating func pass(until end: Instant) {
        while let next = earliest(camera.nextDeadline, cutAt?.at), next <= end {
            if let cut = cutAt, cut.at == next {
                cutAt = nil
                step(.cut(cut.clip, at: next), at: max(now, next))
                // Its files are durable at once.
                step(.closed(cut.clip, complete: true), at: now)
            } else {
                step(.tick, at: max(now, next))
            }
        }
        now = max(now, end)
        guard let last = clips.indices.last, clips[last].ended == nil else { return }
        clips[last].end = max(clips[last].start, now)
    }

    /// Whether there would be media of this moment.
    public func records(_ moment: Instant) -> Bool {
        clips.contains { $0.start <= moment && moment < $0.end }
    }

    private mutating func reach(_ reachable: Bool) {
        guard reachable != isReachable else { return }
        isReachable = reachable
        if reachable {
            // Back-off is not rehearsed: the camera was back when the real link was.
            step(.connect(camera.intent.connect), at: now)
        } else if let dial {
            self.dial = nil
            step(.lost(dial, .closed), at: now)
        }
    }

    private mutating func step(_ event: Camera.Event, at moment: Instant) {
        now = moment
        var pending = [event]
        while !pending.isEmpty {
            for effect in camera.step(pending.removeFirst(), at: now) { pending += answers(effect) }
        }
    }

    /// What the world does with an order, and says at once.
    private mutating func answers(_ effect: Camera.Effect) -> [Camera.Event] {
        switch effect {
        case .dial(let number, _):
            guard isReachable else { return [] }
            dial = number
            streamingSince = now
            return [.dialed(number), .keyframe(number)]
        case .hangUp(let number):
            if dial == number { dial = nil }
            return [.hungUp(number)]
        case .keepMedia(let keep):
            keptSince = keep ? now : nil
            return []
        case .openClip(let order):
            let start = self.start(of: order)
            clips.append(Clip(start: start, end: now, cause: order.cause, ended: nil, event: order.event))
            return [.opened(order.number, start: start, shortfall: nil)]
        case .closeClip(let number, let point, let why):
            guard let last = clips.indices.last else { return [] }
            clips[last].ended = why
            clips[last].end = now
            cutAt = nil
            guard point == .keyframe else { return [.closed(number, complete: true)] }
            clips[last].end = nextKeyframe
            cutAt = (number, nextKeyframe)
            return []
        default:
            note(effect)
            return []
        }
    }

    private mutating func note(_ effect: Camera.Effect) {
        switch effect {
        case .beginEvent(let number, let cause, _):
            let began = camera.trigger.active?.window.began ?? now
            events.append(Event(number: number, began: began, ended: nil, cause: cause, why: nil))
        case .endEvent(let number, let why):
            guard let index = events.lastIndex(where: { $0.number == number }) else { break }
            events[index].ended = now
            events[index].why = why
        // Sources, too, are told where they do not count.
        case .report(.suppressed(let level, let why)): suppressed.append(Suppressed(at: now, level: level, why: why))
        case .label(let label): labels.append((now, label))
        default: break
        }
    }

    /// Where a clip begins: on the key frame before its trigger and pre-roll, but on no media that an earlier clip has, that
    /// had not come, or that might not be kept.
    private func start(of order: Camera.ClipOrder) -> Instant {
        let wanted = order.trigger + -order.preRollMs
        let since = streamingSince ?? now
        let keyframe = since + max(0, wanted - since) / keyframeMs * keyframeMs
        let previous = clips.last?.end ?? keyframe
        return min(now, max(keyframe, previous, since, keptSince ?? now))
    }

    private var nextKeyframe: Instant {
        guard let since = streamingSince else { return now }
        return since + ((now - since) / keyframeMs + 1) * keyframeMs
    }
}
