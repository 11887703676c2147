public import Machines

/// Watches how playback comes to its end: once, at the latest behind the last clip of the day, and nothing plays after it without
/// another start.
public struct EndWatcher: SessionBystander {
    /// There is a start that has not come to its end.
    private var isOpen = false

    /// Nothing plays yet.
    public init() {}

    /// The end of the day must be told, once.
    public mutating func sees(_ event: SessionWorld.Event, _ effects: [Session.Effect]) -> Bool {
        var (isGood, finishes) = (true, 0)
        for effect in effects {
            switch effect {
            case .order(_, .startPlayback): isOpen = true
            case .playOn, .report(.playing), .report(.paused): if !isOpen { isGood = false }
            case .report(.finished):
                if !isOpen { isGood = false }
                finishes += 1
                isOpen = false
            case .stopPlayback, .report(.failed(.startPlayback, _)): isOpen = false
            default: break
            }
        }
        let isEnd = event == .clipEnded(.current, .end)
        return isGood && (isEnd ? effects.last == .report(.finished(.end)) && finishes == 1 : true)
    }
}
