public import Machines

/// A machine whose steps can be run again from their trace.
public protocol ReplayedMachine: Hashable, Sendable, Codable {
    /// What it takes.
    associatedtype Event: Hashable, Sendable, Codable
    /// What it orders.
    associatedtype Effect: Hashable, Sendable, Codable

    /// Takes an event.
    mutating func step(_ event: Event, at now: Instant) -> [Effect]
    /// When time alone changes it next.
    var nextDeadline: Instant? { get }
    /// It has come to its end, and owes nothing.
    var isOver: Bool { get }
    /// Every bound it works with is a length of time.
    var hasBounds: Bool { get }
    /// The machine as it began, before its first step, a tick at this instant; `self` is what it was after that.
    func beginning(at instant: Instant) -> Self
    /// Whether the effect was added to the machine after traces had been kept without it.
    static func isEntry(_ effect: Effect) -> Bool

    /// What it took, in words.
    static func words(_ event: Event, _ narrator: Narrator) -> String
    /// What it ordered, in words.
    static func words(_ effects: [Effect], _ narrator: Narrator) -> String
    /// The whole of it, in one line.
    func summary(_ narrator: Narrator) -> String
}

extension ReplayedMachine {
    /// Whether a step at an instant can have left this state. A state from outside that is none of these could keep a machine
    /// busy for ever: after a step every deadline lies ahead, and every bound is a length of time.
    func isPlausible(at now: Instant) -> Bool { hasBounds && nextDeadline.map { $0 > now } ?? true }
}
