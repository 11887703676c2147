public import Machines

/// Watches a source (T6): while it is on it counts, or it is told once that it does not; and what came and went while nothing was
/// allowed to count leaves nothing behind.
public struct SourceWatcher: Bystander {
    /// The source is on.
    private var isOn = false
    /// How often it has been told as suppressed since it came on.
    private var told = 0
    /// An event is active.
    private var isActive = false
    /// Privacy covers the recording, or the mode is off.
    private var (soft, hard, off) = (false, false, false)
    /// It was on at a moment at which it could count, and nothing has forbidden that since.
    private var couldCount = false

    /// Nothing has come on yet.
    public init(_ view: CameraConfiguration) { off = view.start.policy.mode == .off }

    /// Whoever is on counts, or is told once not to.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        let isTaken = !effects.contains { if case .ignored = $0 { true } else { false } }
        if isTaken { note(fact) }
        var isGood = true
        for effect in effects {
            switch effect {
            case .report(.sourceExpired): forget()
            case .report(.suppressed(nil, _)):
                told = min(told + 1, 2)
                if !isOn { isGood = false }
            case .report(.eventBegan(_, let cause, _, _)):
                isActive = true
                if cause == .source, !isOn, !couldCount { isGood = false }
            case .report(.eventEnded): isActive = false
            case .stopped: forget()
            default: break
            }
        }
        if soft || hard || off { couldCount = false } else if isOn { couldCount = true }
        if told > 1 || isOn && !isActive && told == 0 { isGood = false }
        return isGood
    }

    private mutating func note(_ fact: CameraFact) {
        switch fact {
        case .asserted: isOn = true
        case .cleared: forget()
        case .soft(let on): soft = on
        case .hard(let on): hard = on
        case .policy(let name): off = name.policy.mode == .off
        default: break
        }
    }

    private mutating func forget() {
        isOn = false
        told = 0
    }
}

extension CameraProperties {
    /// What who watches a source watches for.
    public static let sources = [
        WatchedCamera<SourceWatcher>.promise("S11 a source counts while it is on, or is told once that it does not")
    ]
}
