internal import Machines
internal import Synchronization

/// Whether a camera's sound is recorded (docs/design/settings.md). A clip takes sound or takes none, as it is at its
/// first frame.
final class RecordedSound: Sendable {
    /// It was switched: what is at `since` of the ring and behind it, and came after `at`.
    private struct Switch {
        let isOn: Bool
        let since: UInt64
        let at: Instant
    }

    /// So many switches are known: more than anybody turns while the ring holds what came before them.
    private static let switchesMax = 64

    /// The oldest first; before the first one it was the other way round, and without any it is on.
    private let switches = Mutex<[Switch]>([])

    /// Whether sound that comes now is recorded.
    var isOn: Bool { switches.withLock { $0.last?.isOn ?? true } }

    /// Since when sound is recorded that was not before; nil where it always was, or is not.
    var onSince: Instant? { switches.withLock { $0.last.flatMap { $0.isOn ? $0.at : nil } } }

    /// Switches it now, from a position of the ring on.
    func turn(_ isOn: Bool, from position: UInt64, at now: Instant) {
        switches.withLock { switches in
            guard (switches.last?.isOn ?? true) != isOn else { return }
            if switches.count == Self.switchesMax { switches.removeFirst() }
            switches.append(Switch(isOn: isOn, since: position, at: now))
        }
    }

    /// Whether sound at a position of the ring is recorded, as it was switched when it came there.
    func includes(_ position: UInt64) -> Bool { state(at: position).isOn }

    /// Whether sound at a position of the ring is recorded that came at `arrival`: what had come before it was switched on is not,
    /// however late it was handed over.
    func includes(_ position: UInt64, cameAt arrival: Instant) -> Bool {
        let (isOn, since) = state(at: position)
        return isOn && since.map { arrival > $0 } ?? true
    }

    private func state(at position: UInt64) -> (isOn: Bool, since: Instant?) {
        switches.withLock { switches in
            if let last = switches.last(where: { $0.since <= position }) { return (last.isOn, last.at) }
            return (switches.first.map { !$0.isOn } ?? true, nil)
        }
    }
}
