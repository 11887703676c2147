internal import DequeModule
public import Machines
import Synchronization

/// Where a clip begins.
public struct RingStart: Hashable, Sendable {
    /// Position of its first frame, a start.
    public let position: UInt64
    /// The dial that it belongs to; a clip never leaves it.
    public let dial: UInt64
    /// Arrival of that frame.
    public let instant: Instant
    /// Why the clip begins later than wanted; nil when it does not.
    public let shortfall: Shortfall?
}

/// What a reader gets.
public enum RingRead: Sendable {
    /// The frames at `next - count ..< next`; empty when nothing new has come.
    case frames([Frame], next: UInt64)
    /// The reader was too slow: the frames before `oldest` are gone.
    case overrun(oldest: UInt64)
    /// The dial has ended before this position; the clip ends here.
    case dialEnded(next: UInt64)
}

extension PacketRing {
    /// The last start whose arrival is at or before `wanted` and whose position is at or after `notBefore`, in the
    /// dial in progress, and of several that arrived in the same millisecond the first; failing that the first start after
    /// it, with the reason. Nil while there is no start at all.
    public func start(wanted: Instant, notBefore: UInt64? = nil) -> RingStart? {
        state.withLock { $0.start(wanted: wanted, notBefore: notBefore) }
    }

    /// Where something that was triggered begins that wants at most `preRollMs` of the time before: with the first start of that time;
    /// failing that with the last one before the trigger, in whose group it came; failing that with the first after it. At or behind
    /// the position `notBefore`. Nil while there is no start at all.
    public func start(trigger: Instant, preRollMs: Int64, notBefore: UInt64) -> RingStart? {
        state.withLock { state in
            let starts = state.starts.filter { $0.dial == state.dial && $0.position >= notBefore }
            let within = starts.first { $0.arrival <= trigger && trigger - $0.arrival <= preRollMs }
            guard let start = within ?? starts.last(where: { $0.arrival <= trigger }) ?? starts.first else {
                return nil
            }
            return RingStart(position: start.position, dial: start.dial, instant: start.arrival, shortfall: nil)
        }
    }

    /// Up to `limit` frames from `position` on that belong to `dial`. The frames keep their bytes alive until they are
    /// released, whatever the ring does.
    public func frames(from position: UInt64, dial: UInt64, limit: Int) -> RingRead {
        state.withLock { state in
            let end = state.next
            // After a purge the ring is empty and `first` is past the reader: it has lost frames too.
            guard position >= state.first else { return .overrun(oldest: state.first) }
            guard position < end else {
                return state.dial == dial ? .frames([], next: position) : .dialEnded(next: position)
            }
            var frames: [Frame] = []
            var index = Int(position &- state.first)
            while frames.count < limit, index < state.entries.count, state.entries[index].dial == dial {
                frames.append(state.entries[index].frame)
                index += 1
            }
            if frames.isEmpty, limit > 0 { return .dialEnded(next: position) }
            return .frames(frames, next: position &+ UInt64(frames.count))
        }
    }
}

extension PacketRing.State {
    /// As `PacketRing.start`.
    func start(wanted: Instant, notBefore: UInt64? = nil) -> RingStart? {
        var best: PacketRing.Start?
        var firstAfter: PacketRing.Start?
        // What was given up because it is in a clip was there, as long as nothing behind that has gone as well.
        var hadEarlier = notBefore.map { first <= $0 && releasedIn == dial } ?? false
        for start in starts where start.dial == dial {
            if let notBefore, start.position < notBefore {
                hadEarlier = true
                continue
            }
            if start.arrival <= wanted {
                // Of what came at one time, as the pictures that a camera has kept for who connects, nothing is left out.
                if best?.arrival != start.arrival { best = start }
            } else if firstAfter == nil {
                firstAfter = start
            }
        }
        if let best {
            return RingStart(position: best.position, dial: best.dial, instant: best.arrival, shortfall: nil)
        }
        guard let start = firstAfter else { return nil }
        let why = hadEarlier ? Shortfall.previousClip : shortfall(wanted)
        return RingStart(position: start.position, dial: start.dial, instant: start.arrival, shortfall: why)
    }

    /// Why there is no start at or before `wanted`.
    fileprivate func shortfall(_ wanted: Instant) -> Shortfall {
        if let keptSince, keptSince > wanted, !beganKeeping { return .notAllowed }
        guard let dialSince, dialSince <= wanted else { return .linkYoung }
        // The dial had begun by then, so the start that is missing has been given up: for want of room, or for its age.
        return missedUntil.map { $0 >= wanted } ?? false ? .memory : .openedLate
    }
}
