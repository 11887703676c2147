internal import Machines

/// Virtual time and all that happens in it, on one thread, in an order that follows from the seed alone.
///
/// `@unchecked Sendable`: one thread at a time acts in a world. A lane's thread acts only between being handed the turn and
/// giving it back, and the semaphores of the hand-over order the accesses.
final class World: @unchecked Sendable {
    /// Milliseconds since the world began.
    private(set) var now: Int64 = 0
    var dice: Dice
    private var agenda = Agenda()
    /// The lane whose work is being done.
    var lane: Lane?
    /// Things done.
    private(set) var steps = 0
    /// What the wall clock showed when it was last touched, in milliseconds since 1970, and by how many millionths it has run
    /// faster than the world since.
    private var wall = (ms: Int64(1_790_000_000_000), at: Int64(0), skew: Int64(0))
    private var names: UInt64 = 0

    init(seed: UInt64) { dice = Dice(seed: seed) }

    /// Does `work` in `ms` milliseconds.
    func after(_ ms: Int64, _ work: @escaping () -> Void) {
        agenda.add(at: now + max(0, ms), tie: dice.next(), work)
    }

    /// Lets everything happen that is due before `end`, or until `isOver`.
    func run(until end: Int64, or isOver: () -> Bool = { false }) {
        while let next = agenda.next, next <= end, !isOver() {
            guard let (at, work) = agenda.take() else { break }
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

    /// A name that no other thing of the world has.
    func name() -> String {
        names += 1
        return String(names, radix: 36)
    }
}
