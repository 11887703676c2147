public import Machines

/// Watches that no short clip is left before a change that the schedule has told.
public struct RestWatcher: Bystander {
    /// The least rest, in ticks.
    private let rest: Int
    /// Ticks until the schedule's next change.
    private var left: Int?
    /// It was known when the last cut was ordered.
    private var isKnown = false

    /// The change of the first policy is known.
    public init(_ view: CameraConfiguration) {
        rest = view.rest
        left = view.start.next
    }

    /// A clip that ends for its length ends long enough before the change.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if fact == .tick { left = left.flatMap { $0 > 1 ? $0 - 1 : nil } }
        if case .policy(let name) = fact, !effects.contains(.ignored(.duplicate)), !effects.contains(.ignored(.stopped))
        {
            left = name.next
            isKnown = false
        }
        for effect in effects {
            switch effect {
            case .closeClip(_, .keyframe, .length): isKnown = left != nil
            case .report(.clipEnded(_, .length)): if isKnown, let left, left < rest { return false }
            default: break
            }
        }
        return true
    }
}

extension CameraProperties {
    /// What who looks at the schedule watches for.
    public static let rests = [
        WatchedCamera<RestWatcher>.promise("S3 no short rest is left before a change that the schedule has told")
    ]
}
