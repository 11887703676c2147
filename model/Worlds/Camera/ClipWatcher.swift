public import Machines

/// Watches in which clip an event is: in event mode what is recorded belongs to an event, and what does not is on its way to its
/// end (T4).
public struct ClipWatcher: Bystander {
    /// The mode is event.
    private var isEventMode: Bool
    /// A clip is being written.
    private var isOpen = false
    /// It belongs to an event.
    private var hasEvent = false
    /// Its end has been ordered.
    private var isEnding = false

    /// Nothing has been opened yet.
    public init(_ view: CameraConfiguration) { isEventMode = view.start.policy.mode == .event }

    /// No clip goes on in event mode that belongs to no event.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if case .policy(let name) = fact { isEventMode = name.policy.mode == .event }
        for effect in effects {
            switch effect {
            case .openClip(let order): (hasEvent, isEnding) = (order.event != nil, false)
            case .report(.clipOpened): isOpen = true
            case .closeClip: isEnding = true
            case .report(.clipEnded): isOpen = false
            default: break
            }
        }
        return !isOpen || !isEventMode || hasEvent || isEnding
    }
}

extension CameraProperties {
    /// What who looks at the clips watches for.
    public static let owners = [
        WatchedCamera<ClipWatcher>.promise("S5 in event mode no clip goes on that belongs to no event")
    ]
}
