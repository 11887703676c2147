public import Machines

/// Watches that no short clip is left before a change that the schedule has told.
public struct RestWatcher: Bystander {
    /// The least rest, in ticks.
    private let rest: Int
    /// Ticks until the schedule's next change.
    private var left: Int?
    /// It was known when the last cut was ordered.
    private var isKnown = false
    /// The last clip ended for its length so shortly before the change that what follows it would be too short.
    private var isShort = false

    /// The change of the first policy is known.
    public init(_ view: CameraConfiguration) {
        rest = view.rest
        left = view.start.next
    }

    /// What follows a clip that ended for its length begins long enough before the change. What another event begins may be short.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if fact == .tick { left = left.flatMap { $0 > 1 ? $0 - 1 : nil } }
        if case .policy(let name) = fact, !effects.contains(.ignored(.duplicate)), !effects.contains(.ignored(.stopped))
        {
            left = name.next
            isKnown = false
            isShort = false
        }
        if left == nil { isShort = false }
        for effect in effects {
            switch effect {
            case .closeClip(_, .keyframe, .length): isKnown = left != nil
            case .report(.clipEnded(_, .length)): isShort = isKnown && left.map { $0 < rest } ?? false
            case .beginEvent: isShort = false
            case .openClip: if isShort { return false }
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
