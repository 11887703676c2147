internal import Machines
internal import RandomSource

/// Virtual time and all that happens in it, on one thread, in an order that follows from the seed alone.
///
/// `@unchecked Sendable`: one thread at a time acts in a simulation. A virtual queue's thread acts only between being handed the turn and
/// giving it back, and the semaphores of the hand-over order the accesses.
final class VirtualTime: @unchecked Sendable {
    /// Milliseconds since the simulation began.
    private(set) var now: Int64 = 0
    var random: SeededGenerator
    private var eventQueue = EventQueue()
    /// The virtual queue whose work is being done.
    var virtualQueue: VirtualQueue?
    /// Things done.
    private(set) var steps = 0
    /// What the wall clock showed when it was last touched, in milliseconds since 1970, and by how many millionths it has run
    /// faster than the simulation since.
    private var wall = (ms: Int64(1_790_000_000_000), at: Int64(0), skew: Int64(0))
    private var names: UInt64 = 0
    /// How many things have been done in this minute, and when it began.
    private var minute = (steps: 0, began: Int64(0))
    /// The most that were done in a minute.
    private(set) var minuteMax = 0
    /// How many there may be: whatever is done again and again without a pause needs more.
    static let minuteBound = 50_000
    /// Told when there were so many.
    var onSpin: () -> Void = {}

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Does `work` in `ms` milliseconds.
    func after(_ ms: Int64, _ work: @escaping () -> Void) {
        eventQueue.add(at: now + max(0, ms), tie: random.next(), work)
    }

    /// Lets everything happen that is due before `end`, or until `isOver`.
    func run(until end: Int64, or isOver: () -> Bool = { false }) {
        while let next = eventQueue.next, next <= end, !isOver() {
            guard let (at, work) = eventQueue.take() else { break }
            minute = at - minute.began < 60_000 ? (minute.steps + 1, minute.began) : (1, at)
            minuteMax = max(minuteMax, minute.steps)
            if minute.steps == Self.minuteBound { onSpin() }
            now = at
            steps += 1
            work()
        }
        if !isOver() { now = max(now, end) }
    }

    /// The wall clock, in milliseconds since 1970.
    var wallMs: Int64 { wall.ms + (now - wall.at) + (now - wall.at) * wall.skew / 1_000_000 }

    /// Sets the wall clock forward by `ms` milliseconds, and slews it by `skew` millionths from now on.
    func setWall(by ms: Int64, skew: Int64) { wall = (wallMs + ms, now, skew) }

    /// A name that no other thing of the simulation has.
    func name() -> String {
        names += 1
        return String(names, radix: 36)
    }
}
