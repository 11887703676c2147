public import Machines

/// Watches how clips end for whose cut no key frame comes (L3): nothing that is wanted is lost at the cut, and it does not wait for
/// ever.
public struct CutWatcher: Bystander {
    /// The longest that a cut may wait, in ticks.
    private let most: Int
    private var mode: Mode
    /// An event is active.
    private var isActive = false
    /// Ticks since the cut that is due was ordered; nil: none is due.
    private var waited: Int?

    /// Nothing has been opened yet.
    public init(_ view: CameraConfiguration) {
        most = view.grace * (1 + view.moreGraces)
        mode = view.start.policy.mode
    }

    /// A clip that ends without a key frame, and not because recording is forbidden, ends where nobody wants what comes now.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if case .policy(let name) = fact { mode = name.policy.mode }
        if fact == .tick, let before = waited { waited = min(before + 1, most + 1) }
        var isRight = true
        for effect in effects {
            switch effect {
            case .beginEvent: isActive = true
            case .endEvent: isActive = false
            case .closeClip(_, .keyframe, _): waited = 0
            case .closeClip(_, .now, let why):
                let isWanted = mode == .continuous || mode == .event && isActive
                if [.length, .quiet, .limit, .policy].contains(why), isWanted { isRight = false }
                waited = nil
            case .report(.clipEnded): waited = nil
            default: break
            }
        }
        return isRight && waited ?? 0 < most
    }
}

extension CameraProperties {
    /// What who looks at the cuts watches for.
    public static let ends = [
        WatchedCamera<CutWatcher>.promise("L3 a cut that waits loses nothing that is wanted, and ends")
    ]
}
