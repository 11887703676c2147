internal import Machines
internal import Media

/// Bounds how often detections become facts for one camera's machine, whose trace keeps each of them, whoever made them: a
/// detector, the camera itself, somebody who triggers.
///
///     detection ─► held, united with others of its level ─► told, unless one of the last 500 ms covers it
///     source on/off ─► held, the last two words of each source ─► told, unless the last 500 ms have said the same
///
/// What is new is told at once, and what repeats what was told is held until that is 500 ms old: none is lost that would
/// count. What is held is told before a fact that changes what counts (a toggle, privacy, a policy, a command). Within any 500 ms at most 8 facts are told; what is held beyond that waits its turn, detections first.
struct DetectionPace: Sendable {
    /// A detection as the machine takes it.
    struct Fact: Hashable, Sendable {
        var level: Sensitivity
        var zones: Zones

        /// Whether it counts wherever `other` would: with any sensitivity, and with any zones of a policy.
        func covers(_ other: Fact) -> Bool {
            level <= other.level && other.zones.inside & ~zones.inside == 0 && (zones.outside || !other.zones.outside)
        }
    }

    /// A fact for the machine, with those who asked for it.
    struct Told: Sendable {
        let event: Camera.Event
        var askers: [Asker]
    }

    private struct Held: Sendable {
        var fact: Fact
        var askers: [Asker]
    }

    /// What a level source says.
    private struct Word: Sendable {
        let source: SourceNumber
        /// For how long it holds; nil where it is off.
        var staleMs: Int64?
        var askers: [Asker]

        func isLike(_ other: Word) -> Bool {
            source == other.source && (staleMs == nil) == (other.staleMs == nil)
        }
    }

    /// For how long a fact stands for those that it covers, in milliseconds.
    static let intervalMs: Int64 = 500
    /// The most facts that are told within it.
    static let most = 8
    /// The most who wait for what is held.
    static let askersMax = 256

    /// When the last facts were told; those within the interval.
    private var told: [(at: Instant, fact: Fact?)] = []
    /// The last word of each source, and when it was told.
    private var said: [SourceNumber: (word: Word, at: Instant)] = [:]
    /// At most one of each level, the least sensitivity first.
    private var held: [Held] = []
    /// At most two of each source, in the order in which they came.
    private var words: [Word] = []

    /// Whether somebody more may wait.
    var hasRoom: Bool {
        held.reduce(0) { $0 + $1.askers.count } + words.reduce(0) { $0 + $1.askers.count } < Self.askersMax
    }

    /// When what is held may be told; nil if nothing is.
    var due: Instant? { held.isEmpty && words.isEmpty ? nil : told.first.map { $0.at + Self.intervalMs } }

    /// Takes a detection or a source's word; gives what is to be told now. nil: `event` is something else.
    mutating func take(_ event: Camera.Event, _ askers: [Asker] = [], at now: Instant) -> [Told]? {
        switch event {
        case .detected(let level, let zones): hold(Held(fact: Fact(level: level, zones: zones), askers: askers))
        case .asserted(let source, let staleMs): hold(Word(source: source, staleMs: staleMs, askers: askers))
        case .cleared(let source): hold(Word(source: source, staleMs: nil, askers: askers))
        default: return nil
        }
        return release(at: now)
    }

    /// Gives what is to be told at `now` of what is held.
    mutating func release(at now: Instant) -> [Told] {
        told.removeAll { now - $0.at >= Self.intervalMs }
        var released: [Told] = []
        while told.count < Self.most, let next = held.firstIndex(where: { !isCovered($0.fact) }) {
            released.append(tell(held.remove(at: next), at: now))
        }
        var index = 0
        while told.count < Self.most, index < words.count {
            guard isRepeated(words[index], at: now) else {
                released.append(tell(words.remove(at: index), at: now))
                continue
            }
            // What the source says after that is news, and must not wait for what says nothing new.
            let source = words[index].source
            if let next = words[(index + 1)...].firstIndex(where: { $0.source == source }) {
                words[next].askers = words[index].askers + words[next].askers
                words.remove(at: index)
            } else {
                index += 1
            }
        }
        return released
    }

    /// Gives everything that is held, whatever was told before: it happened before a fact that changes what counts.
    mutating func flush(at now: Instant) -> [Told] {
        var released: [Told] = []
        while let next = held.indices.last { released.append(tell(held.remove(at: next), at: now)) }
        while !words.isEmpty { released.append(tell(words.removeFirst(), at: now)) }
        return released
    }

    /// Forgets the detections that are held and that nobody waits for: they were seen when nothing may be noticed any more.
    mutating func forget() { held.removeAll(where: \.askers.isEmpty) }

    /// Gives up everything that is held; gives those who wait for it.
    mutating func close() -> [Asker] {
        defer { (held, words) = ([], []) }
        return held.flatMap(\.askers) + words.flatMap(\.askers)
    }

    // MARK: Holding

    private mutating func hold(_ new: Held) {
        var new = new
        if let index = held.firstIndex(where: { $0.fact.level == new.fact.level }) {
            let before = held.remove(at: index)
            new.fact.zones = Zones(
                inside: new.fact.zones.inside | before.fact.zones.inside,
                outside: new.fact.zones.outside || before.fact.zones.outside)
            new.askers = before.askers + new.askers
        }
        held.insert(new, at: held.firstIndex { $0.fact.level > new.fact.level } ?? held.endIndex)
    }

    /// Of each source the last word of each kind, in their order: so an "on" is told, however soon its "off" follows.
    private mutating func hold(_ new: Word) {
        var new = new
        let mine = words.indices.filter { words[$0].source == new.source }
        if let like = mine.last(where: { words[$0].isLike(new) }) {
            new.askers = words[like].askers + new.askers
            words.remove(at: like)
        }
        words.append(new)
    }

    private func isCovered(_ fact: Fact) -> Bool { told.contains { $0.fact?.covers(fact) ?? false } }

    private func isRepeated(_ word: Word, at now: Instant) -> Bool {
        guard let last = said[word.source] else { return false }
        return last.word.isLike(word) && now - last.at < Self.intervalMs
    }

    // MARK: Telling

    /// Who came before it and would count with it only is told with it.
    private mutating func tell(_ next: Held, at now: Instant) -> Told {
        var askers = next.askers
        for other in held where next.fact.covers(other.fact) { askers += other.askers }
        held.removeAll { next.fact.covers($0.fact) }
        told.append((now, next.fact))
        return Told(event: .detected(level: next.fact.level, zones: next.fact.zones), askers: askers)
    }

    private mutating func tell(_ word: Word, at now: Instant) -> Told {
        told.append((now, nil))
        said[word.source] = (Word(source: word.source, staleMs: word.staleMs, askers: []), now)
        let event: Camera.Event = word.staleMs.map { .asserted(word.source, staleMs: $0) } ?? .cleared(word.source)
        return Told(event: event, askers: word.askers)
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
