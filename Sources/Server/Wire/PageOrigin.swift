/// Compares the fields `Origin` of a request (RFC 6454, 7) with the host it was sent to. Pure: any text gives an answer.
enum PageOrigin {
    /// Whether there is one origin, that of a page, whose host and port are `host`. With or without TLS is the same, because a
    /// proxy before Vigil may speak it.
    static func isOwn(_ origins: [String], host: String?) -> Bool {
        guard origins.count == 1, let origin = origins.first?.lowercased(), let host = host?.lowercased(),
            !host.isEmpty
        else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}
