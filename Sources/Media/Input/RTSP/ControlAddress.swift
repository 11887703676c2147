import Hashing

/// Where the media of a description are set up. Addresses come from the camera and are only said back to it, on the
/// connection that there is: none of them is ever dialled, and none is sent with a login in it.
enum ControlAddress {
    /// The addresses that a description and its answer give.
    struct Bases: Hashable {
        /// What the media's controls are appended to.
        let media: String
        /// The whole stream, for PLAY.
        let stream: String
    }

    /// The bases: `told` is the answer's Content-Base or Content-Location, `control` the session's. A whole address in
    /// `control` counts before `told`; where neither is an address, `request` is the base.
    static func bases(told: [String?], control: String?, request: RTSPAddress) -> Bases {
        if let control, hasScheme(control), let whole = repaired(control, request: request) {
            return Bases(media: whole, stream: whole)
        }
        let base = told.compactMap { $0.flatMap { repaired($0, request: request) } }.first ?? request.text
        return Bases(media: base, stream: resolve(control, base: base, request: request))
    }

    /// The address that `control` means: itself if it is whole, else appended to `base` as cameras expect it, which is
    /// not how RFC 3986 would resolve it where the base has a query.
    static func resolve(_ control: String?, base: String, request: RTSPAddress) -> String {
        guard let control, !control.isEmpty, control != "*", control.utf8.count <= addressBytesMax else { return base }
        if hasScheme(control) { return repaired(control, request: request) ?? base }
        let text = encoded(control)
        if base.hasSuffix("/") != text.hasPrefix("/") { return base + text }
        return base.hasSuffix("/") ? base + text.dropFirst() : base + "/" + text
    }

    /// `text` as a whole address; nil where there is none in it. Cameras leave out the scheme or the host, write one twice, or
    /// forget the brackets of an IPv6 address.
    static func repaired(_ text: String, request: RTSPAddress) -> String? {
        var rest = encoded(text.trimmingBlanks)[...]
        let origin = request.origin
        guard !rest.isEmpty, rest.utf8.count <= addressBytesMax else { return nil }
        var scheme: Substring?
        while let found = schemes.first(where: { rest.prefix($0.count).lowercased() == $0 }) {
            scheme = rest.prefix(found.count)
            rest = rest.dropFirst(found.count)
        }
        var authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest[authority.endIndex...]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if authority.isEmpty {
            // A path alone.
            return path.isEmpty || scheme != nil && path == "/" ? nil : origin + path
        }
        let isHost =
            authority.lowercased() == request.host.lowercased() || authority.contains(":")
            || authority.split(separator: ".").count == 4 && authority.allSatisfy { $0 == "." || $0.isNumber }
        guard scheme != nil || isHost else { return nil }
        let start = scheme.map(String.init) ?? (request.isSecure ? schemes[1] : schemes[0])
        // Not an authority: brackets are missing, or the port is none.
        let isBare = !authority.hasPrefix("[") && authority.filter { $0 == ":" }.count > 1
        guard !isBare, (try? RTSPAddress(start + authority)) != nil else { return origin + path }
        // The whole address twice.
        if let again = path.firstRange(of: start + authority) { return start + authority + path[again.upperBound...] }
        return start + authority + path
    }

    /// A longer address is none; cameras take no such request either.
    private static let addressBytesMax = 2_048
    private static let schemes = ["rtsp://", "rtsps://"]

    private static func hasScheme(_ text: String) -> Bool {
        schemes.contains { text.prefix($0.count).lowercased() == $0 }
    }

    /// Fit to stand in the first line of a request.
    private static func encoded(_ text: String) -> String { Hex.escaped(text) { $0 > 0x20 && $0 < 0x7F } }
}

extension RTSPAddress {
    /// Scheme, host and port as they stand in the address.
    var origin: String {
        let scheme = text.prefix(isSecure ? 8 : 7)
        return String(scheme + text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }
}
