import Machines
import Synchronization

/// What an input takes.
extension PublishingPoint {
    /// An input takes what comes from now on, in the place of any other.
    func attach() -> UInt64 {
        state.withLock { state in
            state.readers += 1
            state.reader = state.readers
            (state.holdsSince, state.wokenAt) = (nil, Instant(ms: .min / 2))
            return state.readers
        }
    }

    /// What has come, as far as it fits into so many bytes; nil where another input has taken over.
    func take(_ reader: UInt64, most bytes: Int = .max) -> [Item]? {
        state.withLock { state in
            guard state.reader == reader else { return nil }
            var room = bytes
            let taken = Array(
                state.queue.prefix { item in
                    let fits = item.fragment.cost <= room
                    room -= fits ? item.fragment.cost : 0
                    return fits
                })
            state.queue.removeFirst(taken.count)
            state.queuedBytes -= taken.reduce(0) { $0 + $1.fragment.cost }
            return taken
        }
    }

    /// Gives back what was not used, for the next input.
    func giveBack(_ items: [Item], _ reader: UInt64) {
        state.withLock { state in
            guard state.reader == reader else { return }
            let kept = items.filter { $0.arrival > state.clearedAt }
            state.queue = kept + state.queue
            state.queuedBytes += kept.reduce(0) { $0 + $1.fragment.cost }
        }
    }

    /// The input has ended. What comes next wakes the camera, and waits for it.
    func detach(_ reader: UInt64) {
        state.withLock { state in
            guard state.reader == reader else { return }
            (state.reader, state.holds, state.holdsSince) = (nil, true, nil)
        }
    }

    /// The tracks of a session, with their keys; empty where it is not the newest.
    func tracks(of session: UInt64) -> [(key: String, version: Int, track: PushedTrack)] {
        state.withLock { state in
            guard let current = state.session, current.number == session else { return [] }
            return current.headers.flatMap { header in
                header.tracks.enumerated().map { (Self.key(header.path, $0.offset), header.version, $0.element) }
            }
        }
    }

    /// Whether all tracks of the session have ended.
    var isOver: Bool { state.withLock { $0.session?.isOver ?? false } }

    /// How many fragments came again, and how many were dropped.
    var counts: (repeated: UInt64, dropped: UInt64) { state.withLock { ($0.repeated, $0.dropped) } }

    static func key(_ path: PushPath, _ track: Int) -> String { "\(path.text)#\(track)" }
}
