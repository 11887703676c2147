/// Why a WebSocket is closed: a code of RFC 6455, 7.4.1, and a reason in words.
struct WebSocketClose: Hashable, Sendable {
    /// The codes that the server sends.
    enum Code: UInt16, Hashable, Sendable, CaseIterable {
        /// What was asked for is over.
        case normal = 1_000
        /// The daemon stops.
        case goingAway = 1_001
        /// The client does not keep to the protocol.
        case protocolError = 1_002
        /// The client sent what this connection does not take.
        case unacceptableData = 1_003
        /// A text is no UTF-8.
        case notText = 1_007
        /// The client may not, or not any more.
        case policyViolation = 1_008
        /// A message is too large.
        case tooLarge = 1_009
        /// Not now; trying again later makes sense.
        case tryAgainLater = 1_013
    }

    /// The most bytes of a reason, since a control frame has 125.
    static let reasonBytesMax = 123

    /// The code.
    let code: Code
    /// The reason, at most `reasonBytesMax` bytes of UTF-8.
    let reason: String

    /// A close with `reason`, which is cut where it is too long.
    init(_ code: Code, _ reason: String) {
        self.code = code
        var reason = reason
        while reason.utf8.count > Self.reasonBytesMax { reason.removeLast() }
        self.reason = reason
    }

    /// Why a live viewer is closed.
    init(_ end: LiveEnd) {
        switch end {
        case .privacy: self.init(.policyViolation, "privacy: live or hard privacy covers the camera")
        case .draining: self.init(.goingAway, "draining: the daemon or the camera is shut down")
        case .removed: self.init(.normal, "removed: the configuration has no such stream any more")
        case .slow: self.init(.tryAgainLater, "slow: what came was not taken in time, again and again")
        case .expired: self.init(.normal, "expired: the time of its session was over; ask anew to look on")
        case .left: self.init(.normal, "left")
        }
    }
}
