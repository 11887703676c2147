public import Machines

/// Listens to what a session shows: each start is silent, sound comes only after its viewer has asked for it since then, and what
/// is shown no more is not heard any more.
public struct SoundWatcher: SessionBystander {
    /// The viewer has asked for sound since the last start.
    private var isWanted = false
    /// Sound is heard.
    private var isHeard = false

    /// Nothing is heard yet.
    public init() {}

    /// Sound must have been asked for, and must be over before something else begins.
    public mutating func sees(_ event: SessionWorld.Event, _ effects: [Session.Effect]) -> Bool {
        var isGood = true
        if event == .request(.mute(false)) { isWanted = true }
        if event == .request(.mute(true)) { isWanted = false }
        for effect in effects {
            switch effect {
            case .order(_, .unmute): if !isWanted { isGood = false }
            case .report(.soundOn):
                if !isWanted { isGood = false }
                isHeard = true
            case .mute: isHeard = false
            case .order(_, .startPreview), .order(_, .startPlayback):
                if isHeard { isGood = false }
                isWanted = false
            case .stopPreview, .stopPlayback, .report(.finished), .report(.stopped), .report(.lost), .report(.ended):
                if isHeard { isGood = false }
            default: break
            }
        }
        return isGood
    }
}
