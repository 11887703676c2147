public import Machines

/// Watches what becomes of a clip that was ordered and that no key frame was there for (L1): it is ordered anew with the next one, if it
/// is wanted then and may be opened, and not before.
public struct KeyFrameWatcher: Bystander {
    // What was said of the intent.
    private var mode: Mode
    private var isEnabled: Bool
    private var (hard, soft) = (false, false)
    private var storage: Storage
    private var isDraining = false
    /// An event is active.
    private var isActive = false
    /// How many clips are being closed.
    private var closing = 0
    /// No key frame was there for a clip, and none has come since on the same link.
    private var isWaiting = false

    /// Nothing has been ordered yet.
    public init(_ view: CameraConfiguration) {
        mode = view.start.policy.mode
        isEnabled = view.enabled
        storage = view.storage
    }

    private var isWanted: Bool {
        guard isEnabled, !hard, !soft, !isDraining, storage != .lost else { return false }
        return mode == .continuous || mode == .event && isActive
    }

    /// A clip that lacked its key frame comes with that, without another wait, and never without it.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        let isTaken = !effects.contains { if case .ignored = $0 { true } else { false } }
        if isTaken { note(fact) }
        let hasCome = isTaken && isWaiting && fact == .keyframe(.cur)
        if hasCome { isWaiting = false }
        if isTaken, fact == .keyframeMissing(.cur) { isWaiting = true }
        var isGood = true, isOrdered = false
        for effect in effects {
            switch effect {
            case .beginEvent: isActive = true
            case .endEvent: isActive = false
            case .openClip:
                isOrdered = true
                if isWaiting { isGood = false }
            case .report(.clipEnded): closing += 1
            case .report(.clipClosed), .report(.clipOverdue): closing -= 1
            case .report(.clipFailed): if fact.isOfGivenUp { closing -= 1 }
            case .report(.link(_, to: .waiting, _, _)), .report(.link(_, to: .off, _, _)): isWaiting = false
            default: break
            }
        }
        return isGood && (!hasCome || !isWanted || closing > 1 || isOrdered)
    }

    private mutating func note(_ fact: CameraFact) {
        switch fact {
        case .drain: isDraining = true
        case .enabled(let on): isEnabled = on
        case .hard(let on): hard = on
        case .soft(let on): soft = on
        case .storage(let now): storage = now
        case .policy(let name): mode = name.policy.mode
        default: break
        }
    }
}

extension CameraProperties {
    /// What who waits for the key frame of a clip watches for.
    public static let keyframes = [
        WatchedCamera<KeyFrameWatcher>.promise(
            "L1 a clip that no key frame was there for is ordered with the next one, without a wait, and not before")
    ]
}
