public import Machines

/// Watches which endpoint is dialled: the preferred one first, the other one after a failure, in auto mode what worked last.
public struct EndpointWatcher: Bystander {
    private enum Outcome: Hashable {
        /// Nothing has been dialled since the settings were new.
        case none
        /// It was given up before it came to anything, because nobody wanted it any longer.
        case dropped
        /// It never streamed, or broke off before the failures before it were forgotten.
        case failed
        /// It streamed, and no failure was left to be forgotten.
        case worked
    }

    private let order: DialOrder
    private let steady: Int
    /// What was dialled last, and what became of it.
    private var last: Endpoint
    private var outcome = Outcome.none
    /// A dial has been ordered and is not over; for how long it has streamed.
    private var isOpen = false
    private var streamed: Int?
    /// A failure is not forgotten yet.
    private var hasFailed = false

    /// Nothing has been dialled yet.
    public init(_ view: CameraConfiguration) {
        order = view.connect
        steady = view.steady
        last = .lan
    }

    private var first: Endpoint { order == .internet || order == .internetFirst ? .internet : .lan }

    /// A dial must go where the order of dialling says.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if fact == .connect { (outcome, isOpen, streamed, hasFailed) = (.none, false, nil, false) }
        var isGood = true
        for effect in effects {
            switch effect {
            case .report(.link(_, to: .streaming, _, _)): streamed = 0
            // It waits for a key frame anew. Where failures are left, they are forgotten later; else it has worked.
            case .report(.link(_, to: .synchronizing, _, _)): if hasFailed { streamed = nil }
            case .report(.link(_, to: .waiting, failure: _, _)): end(isFailure: true)
            case .report(.link(_, to: .off, _, _)): if isOpen { end(isFailure: false) }
            case .dial(_, let endpoint):
                if !allowed.contains(endpoint) { isGood = false }
                (last, isOpen, streamed) = (endpoint, true, nil)
            default: break
            }
        }
        if fact == .tick, let ticks = streamed { streamed = min(ticks + 1, steady) }
        if let streamed, streamed >= steady { hasFailed = false }
        return isGood
    }

    private mutating func end(isFailure: Bool) {
        if streamed != nil {
            outcome = isFailure && hasFailed ? .failed : .worked
        } else {
            outcome = isFailure ? .failed : .dropped
        }
        if isFailure { hasFailed = true }
        (isOpen, streamed) = (false, nil)
    }

    private var allowed: Set<Endpoint> {
        let other: Endpoint = last == .lan ? .internet : .lan
        switch (order, outcome) {
        case (.lan, _), (.internet, _): return [first]
        case (_, .none): return [first]
        case (_, .dropped): return [last]
        case (_, .failed): return [other]
        case (.auto, .worked): return [last]
        case (_, .worked): return [first]
        }
    }
}

extension CameraProperties {
    /// What who looks at the dials watches for.
    public static let endpoints = [
        WatchedCamera<EndpointWatcher>.promise(
            "L1 the preferred endpoint is dialled first, the other one while it fails")
    ]
}
