public import Machines

/// Counts the time of a session: it has the whole of it when it comes to rest, when what it shows changes, when it asks for something
/// while it is idle or paused, and when it is extended. It ends exactly when that is over; while a clip plays it does not run.
public struct TimeWatcher: SessionBystander {
    /// How long a session lasts, in ticks, in the worlds that are watched.
    private static let most = 2

    private enum Picture: Hashable { case none, live, clip, held, starting }

    /// What is left, in ticks; nil: no time runs.
    private var left: Int? = Self.most
    private var picture = Picture.none
    private var hasEnded = false

    /// Its time runs from the beginning.
    public init() {}

    /// It ends for its time when nothing is left of it, and not before.
    public mutating func sees(_ event: SessionWorld.Event, _ effects: [Session.Effect]) -> Bool {
        if hasEnded { return true }
        if event == .tick { left = left.map { $0 - 1 } }
        let isOver = left.map { $0 <= 0 } ?? false
        var hasExpired = false
        for effect in effects {
            if effect == .report(.ended(.expired)) { hasExpired = true }
            hear(effect)
        }
        return hasExpired == isOver
    }

    private mutating func hear(_ effect: Session.Effect) {
        switch effect {
        case .order(_, .startPreview), .order(_, .startPlayback): (picture, left) = (.starting, nil)
        case .order: if picture == .none || picture == .held { left = Self.most }
        case .report(.previewing): (picture, left) = (.live, Self.most)
        case .report(.playing): (picture, left) = (.clip, nil)
        case .report(.paused): (picture, left) = (.held, Self.most)
        case .report(.stopped), .report(.finished), .report(.failed(.startPreview, _)),
            .report(.failed(.startPlayback, _)):
            (picture, left) = (.none, Self.most)
        case .report(.lost): if picture != .none { (picture, left) = (.none, Self.most) }
        case .report(.extended): left = Self.most
        case .report(.ended): (hasEnded, left) = (true, nil)
        default: break
        }
    }
}

extension SessionWorld {
    /// What who counts the time watches for.
    public static let times = [
        WatchedSession<TimeWatcher>.promise(
            "L9 a session ends when its time is over, which nothing but its viewer renews")
    ]
}
