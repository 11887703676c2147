internal import Client

extension DaemonClient {
    /// The site's clock: its time zone, this machine's present.
    func clock() async throws -> DisplayClock {
        DisplayClock(zone: try await status().timeZone, now: DisplayClock.present)
    }
}
