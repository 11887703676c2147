public import Machines

/// Watches what playback does at a hole: it goes on if the start that plays asked for that, and finishes there if not.
public struct HoleWatcher: SessionBystander {
    /// The start that plays asked for holes to be played over.
    private var isOver = false

    /// Nothing plays yet.
    public init() {}

    /// A hole ends playback, or does not.
    public mutating func sees(_ event: SessionWorld.Event, _ effects: [Session.Effect]) -> Bool {
        if case .request(.startPlayback(_, _, let reach)) = event {
            for case .order(_, .startPlayback) in effects { isOver = reach == .overHoles }
        }
        let goesOn = effects.contains { if case .playOn = $0 { true } else { false } }
        let finishes = effects.contains { if case .report(.finished(.hole)) = $0 { true } else { false } }
        if case .clipEnded(.current, .hole) = event { return goesOn == isOver && finishes != isOver }
        return !finishes
    }
}
