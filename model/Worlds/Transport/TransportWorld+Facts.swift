internal import Machines

// What the rules say of any fact: it changes what it speaks of and what follows from that, or it is answered.
extension TransportWorld {
    var facts: [Property<TransportWorld>] {
        [
            steps("S9 what is ignored or refused changes nothing and orders nothing else") { step in
                !step.isRefused || step.effects.count == 1 && step.after == step.before
            },
            steps("S9 what comes and changes nothing is answered, unless it is time or asks for no more than there is")
            {
                step in
                if case .triggered = step.event { return true }
                return step.event == .tick || step.after != step.before || !step.effects.isEmpty
            },
            steps("S9 the status, the block and what is held are what was told last") { step in
                let (before, after) = (step.before, step.after)
                var (status, block, held) = (before.status, before.block, before.held)
                if !step.isRefused {
                    if case .status(let told) = step.event { status = told }
                    if case .blocked(let told) = step.event { block = told }
                    if case .held(let told) = step.event { held = told }
                }
                return after.phase == .over || after.status == status && after.block == block && after.held == held
            },
            steps("S9 the options are what was told last, and its own end comes nearer with time alone") { step in
                var trigger = step.before.trigger
                var expiry = step.before.expiry.map { Instant(ms: $0.ms - step.elapsedMs) }
                if case .modified(let kind, let expires) = step.event, !step.isRefused {
                    (trigger, expiry) = (self.trigger(kind, expires: expires), self.expiry(expires))
                }
                return step.after.trigger == trigger && (step.after.phase == .over || step.after.expiry == expiry)
            },
            steps("S9 a fact is a duplicate exactly where it says what is so already") { step in
                let before = step.before
                if before.phase == .over { return true }
                let isSo =
                    switch step.event {
                    case .status(let status): status == before.status
                    case .held(let held): held == before.held
                    case .blocked(let block): block == before.block
                    case .modified(let kind, let expires):
                        self.trigger(kind, expires: expires) == before.trigger && self.expiry(expires) == before.expiry
                    case .tick, .motion, .triggered, .deallocated, .drain: false
                    }
                return isSo == (step.effects == [.ignored(.duplicate)])
            },
        ]
    }

    /// When a transport is over whose options come now.
    private func expiry(_ expires: Bool) -> Instant? { expires ? Instant(ms: expiry * Self.tickMs) : nil }

    var requests: [Property<TransportWorld>] {
        [
            steps("S7 in privacy it is not set active, and else it is") { step in
                guard step.event == .status(.active), step.before.status == .inactive, step.before.phase != .over
                else { return true }
                return (step.before.block == .privacy) == (step.effects == [.refused(.blocked)])
            },
            steps(
                restating: "S9 motion that does not count says why, by the first reason that holds, "
                    + "and other motion counts"
            ) { step in
                guard case .motion(let motion) = step.event, step.before.phase != .over else { return true }
                let reasons: [(PushTransport.Ignored, Bool)] = [
                    (.trigger, !step.before.isOfMotion), (.blocked, step.before.block != nil),
                    (.zone, motion == .elsewhere), (.sensitivity, motion == .slight),
                    (.blind, step.before.blindMs != nil), (.early, step.before.window?.canBeProlonged == false),
                ]
                return reasons.first(where: \.1).map { step.effects == [.ignored($0.0)] } ?? !step.isRefused
            },
            steps(restating: "T5 a command is refused for the first reason that holds, and else it is taken") { step in
                guard case .triggered(let brings) = step.event, step.before.phase != .over else { return true }
                let reasons: [(PushTransport.Refusal, Bool)] = [
                    (.blocked, step.before.block != nil), (.inactive, step.before.status == .inactive),
                    (.continuous, step.before.trigger == .continuous),
                    (.noTimeControl, !brings && step.before.options == nil),
                ]
                return reasons.first(where: \.1).map { step.effects == [.refused($0.0)] } ?? !step.isRefused
            },
            steps("S9 motion and commands are turned down for a reason that holds, and taken where none does") { step in
                guard step.before.phase != .over else { return true }
                switch step.event {
                case .motion(let motion):
                    if step.effects == [.ignored(.early)] { return step.before.window != nil }
                    let reasons: [PushTransport.Effect: Bool] = [
                        .ignored(.trigger): !step.before.isOfMotion, .ignored(.blocked): step.before.block != nil,
                        .ignored(.zone): motion == .elsewhere, .ignored(.sensitivity): motion == .slight,
                        .ignored(.blind): step.before.blindMs != nil,
                    ]
                    return step.isTurnedDown(for: reasons)
                case .triggered(let brings):
                    let reasons: [PushTransport.Effect: Bool] = [
                        .refused(.blocked): step.before.block != nil,
                        .refused(.inactive): step.before.status == .inactive,
                        .refused(.continuous): step.before.trigger == .continuous,
                        .refused(.noTimeControl): !brings && step.before.options == nil,
                    ]
                    return step.isTurnedDown(for: reasons)
                default: return true
                }
            },
            steps("T5 where the camera may not record, a command is refused for that, whatever else is against it") {
                step in
                guard case .triggered = step.event, step.before.block != nil, step.before.phase != .over else {
                    return true
                }
                return step.effects == [.refused(.blocked)]
            },
            steps("T7 motion that is remembered counts when the transport is set active") { step in
                guard step.event == .status(.active), step.before.window != nil, step.before.status == .inactive,
                    step.before.block == nil
                else { return true }
                return step.begins.count == 1 && step.after.window == step.before.window
            },
        ]
    }
}
