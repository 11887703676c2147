import Synchronization

/// What dials of a camera have learnt that its next dial needs. Any two are equal: what is learnt is no part of what a source
/// is.
public final class CameraHabits: Hashable, Sendable {
    /// Whether GET_PARAMETER is sent to a camera that does not list it.
    private enum UnlistedGet {
        /// Nothing has called for it.
        case untried
        /// Sessions end at their timeout although the camera took another sign of life.
        case wanted
        /// The camera ended the session when it came.
        case harmful
    }

    /// In how many timeouts of a session a camera that takes no other sign of life has ended it.
    private static let timeoutsMax: Int64 = 3

    private let unlistedGet = Mutex(UnlistedGet.untried)

    /// Nothing learnt.
    public init() {}

    /// Whether a keep-alive is sent that the camera does not list.
    var sendsUnlistedGet: Bool { unlistedGet.withLock { $0 == .wanted } }

    /// A camera that does not list GET_PARAMETER has ended a session, or has fallen silent.
    /// - Parameters:
    ///   - playedMs: how long it had played, in milliseconds
    ///   - sessionMs: the session's timeout
    ///   - wasAccepted: whether it had accepted a sign of life
    func sessionEnded(playedMs: Int64, sessionMs: Int64, wasAccepted: Bool) {
        unlistedGet.withLock { habit in
            switch habit {
            case .untried where wasAccepted && playedMs >= sessionMs && playedMs / Self.timeoutsMax <= sessionMs:
                habit = .wanted
            case .wanted where playedMs < sessionMs: habit = .harmful
            case .untried, .wanted, .harmful: break
            }
        }
    }

    /// Always.
    public static func == (_: CameraHabits, _: CameraHabits) -> Bool { true }
    /// Adds nothing.
    public func hash(into hasher: inout Hasher) {}
}
