/// The address of a service of a device: `http:` or `https:`, with neither login nor fragment.
package struct ServiceAddress: Hashable, Sendable, CustomStringConvertible {
    /// How long an address may be, in bytes, with all that is put into it.
    package static let bytesMax = 2_048
    /// Where the standard has the device's own service (ONVIF Core, 5.10).
    package static let devicePath = "/onvif/device_service"

    /// Whether TLS is used.
    package let isSecure: Bool
    /// Name or address of the host in lower case, without brackets.
    package let host: String
    /// The port; 80, or 443 with TLS, unless given.
    package let port: UInt16
    /// Path and query as they are sent; begins with a slash.
    package let path: String

    /// An address from its parts.
    package init(isSecure: Bool = false, host: String, port: UInt16? = nil, path: String = devicePath) {
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        self.path = path
    }

    /// Reads an address; nil where it is none that is taken. What may be a login makes it none.
    package init?(_ text: String) {
        // A slash may be put before the query.
        guard text.utf8.count < Self.bytesMax, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x23 })
        else {
            return nil
        }
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let place = HostAndPort(String(authority)) else { return nil }
        let path = rest[authority.endIndex...]
        self.init(
            isSecure: scheme == "https://", host: place.host, port: place.port,
            path: path.hasPrefix("/") ? String(path) : "/" + path)
    }

    /// Reads the address of a device itself: where only its host is given, its service is where the standard has it.
    package init?(device text: String) {
        guard let address = ServiceAddress(text) else { return nil }
        self.init(
            isSecure: address.isSecure, host: address.host, port: address.port,
            path: address.path == "/" ? Self.devicePath : address.path)
    }

    /// The whole address.
    package var description: String { (isSecure ? "https://" : "http://") + authority + path }

    /// Host and port, as an address has them.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Where a service is asked that this device says to be at `named`. It is asked on the host that was dialled, whatever host the
    /// device names: a login goes nowhere else (H9), and devices behind a router name addresses that only they know. A port
    /// counts where the host is the same, and TLS is not given up.
    package func service(_ named: ServiceAddress) -> ServiceAddress {
        guard named.host == host, named.isSecure || !isSecure else {
            return ServiceAddress(isSecure: isSecure, host: host, port: port, path: named.path)
        }
        return named
    }
}

/// A host, and a port where one is given.
struct HostAndPort: Hashable {
    /// Name or address in lower case, without brackets.
    let host: String
    /// The port, 1…65535; nil where none is given.
    let port: UInt16?

    /// Reads `host`, `host:port`, `[::1]` or `[::1]:port`; nil for anything else.
    init?(_ text: String) {
        var (host, port) = (text[...], ""[...])
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<close]
            port = text[text.index(after: close)...]
            guard host.contains(":") else { return nil }
        } else if let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], text[colon...])
        }
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard isName, (1...255).contains(host.utf8.count), port.isEmpty || port.hasPrefix(":") else { return nil }
        self.host = host.lowercased()
        if port.dropFirst().isEmpty {
            self.port = nil
        } else {
            let digits = String(port.dropFirst())
            guard let number = UInt16(digits, radix: 10), number > 0, !digits.hasPrefix("+") else { return nil }
            self.port = number
        }
    }
}
