/// Why a live view that was asked for over a WebSocket is not shown now.
struct LiveRefusal: Hashable, Sendable, Codable {
    /// The reason in one word: that of the session where it refused, else `unavailable`.
    let ended: String
    /// What an answer that is no WebSocket would say.
    let error: ErrorBody

    /// The reason of `error`.
    init(_ error: SiteError) {
        ended = error.reason ?? "unavailable"
        self.error = ErrorBody(error)
    }

    /// How the WebSocket is closed.
    var close: WebSocketClose {
        let mayPass = error.status == SiteError.Kind.unavailable.rawValue || ended == "full"
        return WebSocketClose(mayPass ? .tryAgainLater : .policyViolation, "\(ended): \(error.why)")
    }
}
