internal import Foundation
internal import Replay
internal import Server

extension DisplayClock {
    /// This machine's clock, for what is read without the daemon.
    static var local: DisplayClock { DisplayClock(zone: localZone, now: present) }

    /// The name of this machine's time zone.
    static var localZone: String { TimeZone.current.identifier }

    /// Tells traces with the times of this clock, to the millisecond.
    var narrator: Narrator {
        Narrator { ms in
            let time = WallTime(ms: ms)
            let part = String((time.ms % 1_000 + 1_000) % 1_000 + 1_000).dropFirst()
            return "\(show(time)).\(part)"
        }
    }
}
