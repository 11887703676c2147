internal import Foundation
internal import Wire

extension DisplayClock {
    /// This machine's clock, for what is read without the daemon.
    static var local: DisplayClock { DisplayClock(zone: localZone, now: present) }

    /// The name of this machine's time zone.
    static var localZone: String { TimeZone.current.identifier }
}
