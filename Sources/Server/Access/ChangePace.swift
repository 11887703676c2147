internal import HTTPTypes
internal import Synchronization
internal import Wire

/// How many changes an account over the network may ask for in a minute. Each is written to the journal, the catalog and the trace,
/// which are everybody's: one token must not push out what they tell of other cameras. Processes on the machine are not counted, nor
/// is what has a bound of its own: a camera's detections (`trigger`) and movements (`ptz`).
final class ChangePace: Sendable {
    /// The most in a minute, in all.
    static let perMinute = 600

    private let budget = Mutex(MinuteBudget(most: perMinute))

    /// Throws `tooOften` where `caller` has asked for too many by `nowMs`, milliseconds of a clock that does not go back.
    func check(_ route: Route, _ caller: Caller, nowMs: Int64) throws(SiteError) {
        // The number of tokens is bounded.
        guard case .token = caller, route.isPaced, !budget.withLock({ $0.take(caller.account, atMs: nowMs) }) else {
            return
        }
        throw SiteError(
            .tooOften, what: "nothing was changed",
            why: "\(caller.account) has asked for more than \(Self.perMinute) changes within a minute",
            remedy: "wait a minute; a program that changes so much is in a loop, and `vigil token revoke` ends it")
    }
}

extension Route {
    /// Whether it counts as a change.
    fileprivate var isPaced: Bool {
        let camera = "/v1/cameras/{camera}"
        return method != .get && right > .view && path != camera + "/trigger" && path != camera + "/ptz"
    }
}
