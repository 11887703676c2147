internal import XML

/// Where a device says that a stream or a picture is (GetStreamUri, GetSnapshotUri).
package struct StreamAddress: Hashable, Sendable {
    /// The address without a login, on the host that was dialled.
    package let text: String
    /// The host that the device names, where it is another one than was dialled.
    package let namedHost: String?

    /// Reads an answer of either version; nil where it names no address of one of the schemes that is taken. A login in it is taken
    /// out, and the host is the one that was dialled: behind a router a device names one that only it knows, and a login goes to
    /// the camera alone (H9).
    init?(_ response: XMLNode, schemes: [String], dialled: String) {
        guard let text = (response.child("MediaUri")?.text("Uri") ?? response.text("Uri"))?.trimmed,
            text.utf8.count <= ServiceAddress.bytesMax, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let scheme = schemes.first(where: { text.lowercased().hasPrefix($0 + "://") })
        else { return nil }
        let rest = text.dropFirst(scheme.count + 3)
        let whole = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let authority = whole.lastIndex(of: "@").map { whole[whole.index(after: $0)...] } ?? whole
        let path = rest[whole.endIndex...]
        // An "@" in the path may end a password with a slash in it.
        guard let place = HostAndPort(String(authority)), !path.contains("@") else { return nil }
        let host = dialled.contains(":") ? "[\(dialled)]" : dialled
        self.text = "\(scheme)://\(host)\(place.port.map { ":\($0)" } ?? "")\(path)"
        namedHost = place.host == dialled ? nil : place.host
    }
}
