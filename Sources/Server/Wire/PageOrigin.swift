/// Compares the fields `Origin` of a request (RFC 6454, 7) with the host it was sent to. Pure: any text gives an answer.
enum PageOrigin {
    /// Whether there is one origin, whose host and port are `host`. The scheme is not compared, because a proxy before Vigil may
    /// speak TLS.
    static func isOwn(_ origins: [String], host: String?) -> Bool {
        guard origins.count == 1, let origin = origins.first, let host, !host.isEmpty else { return false }
        let bytes = Array(origin.utf8)
        let mark = Array("://".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return false }
        let rest = String(decoding: bytes[(end + mark.count)...], as: UTF8.self)
        return rest.lowercased() == host.lowercased()
    }
}
