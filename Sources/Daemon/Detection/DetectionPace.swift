internal import Machines
internal import Media

/// Bounds how often a detector's observations become facts for the machine, whose trace keeps each of them.
///
/// What moves is told at once when nothing was told for `intervalMs`, or when a lesser sensitivity notices it than was told;
/// the rest is held and told together.
struct DetectionPace: Sendable {
    /// A detection as the machine takes it.
    struct Fact: Hashable, Sendable {
        var level: Sensitivity
        var zones: Zones
    }

    /// The least time between two facts of one level, in milliseconds.
    static let intervalMs: Int64 = 500

    private var told: (level: Sensitivity, at: Instant)?
    private var held: Fact?

    /// Takes what an observation at `now` noticed, nil where nothing; gives what is to be told now.
    mutating func take(_ found: Fact?, at now: Instant) -> Fact? {
        if let found { hold(found) }
        guard let fact = held else { return nil }
        if let told, now - told.at < Self.intervalMs, fact.level >= told.level { return nil }
        held = nil
        told = (fact.level, now)
        return fact
    }

    /// Forgets what is held: it was seen when nothing may be noticed any more.
    mutating func clear() { held = nil }

    /// The zones belong to the level: where one is noticed by a lesser sensitivity, its zones count.
    private mutating func hold(_ found: Fact) {
        guard let before = held, found.level >= before.level else { return held = found }
        guard found.level == before.level else { return }
        held?.zones.inside |= found.zones.inside
        held?.zones.outside = found.zones.outside || before.zones.outside
    }
}

extension MotionObservation {
    /// What the machine is told of it under a policy that cares for the zones of `filter` (nil: for all): the level at which
    /// these zones notice it, else the level anywhere, which the machine suppresses; with the zones of that level.
    func fact(for filter: Zones?) -> DetectionPace.Fact? {
        guard let level = level(in: filter) ?? level, let order = Sensitivity.allCases.firstIndex(of: level),
            order < zonesByLevel.count
        else { return nil }
        return DetectionPace.Fact(level: level, zones: zonesByLevel[order])
    }
}
