internal import Glibc

/// Where the HTTP interface listens: a numeric address and a port. One that other machines can reach is served over TLS, since
/// tokens and pictures do not go over a network that others can read: with a configured certificate, or one that Vigil makes.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address, without brackets.
    public let host: String
    /// A port, 1 to 65535.
    public let port: Int

    /// Where nothing is configured.
    public static let standard = ListenAddress(host: "127.0.0.1", port: 8_080)

    private init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// As it is written in the file.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`, which means 127.0.0.1 whatever a resolver says; names are not
    /// resolved, so none can turn into an address that others reach. Nil for `none`.
    package static func parse(_ text: String) throws(Fault) -> ListenAddress? {
        if text == "none" { return nil }
        let (host, portText) = SourceAddress.splitPort(text)
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }), let portText,
            let port = SourceAddress.port(Substring(portText)), !text.hasPrefix("[") || isIPv6(host)
        else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" is not an address and port",
                remedy: "write 127.0.0.1:8080, [::1]:8080 or none")
        }
        let numeric = host == "localhost" ? "127.0.0.1" : host
        guard isIPv4(numeric) || isIPv6(numeric) else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" holds no numeric address, and names are not resolved",
                remedy: "write 0.0.0.0:\(port) or [::]:\(port) for every address of this machine, or one of them")
        }
        return ListenAddress(host: numeric, port: port)
    }

    /// Checks an address of IPv4 or IPv6 without a port; one for every address of a machine is none.
    static func checkNumeric(_ text: String) throws(Fault) {
        guard isIPv4(text) || isIPv6(text), text != "0.0.0.0", text != "::" else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" is not the numeric address of a machine",
                remedy: "write one without a port or brackets, such as 192.168.1.5; names are not resolved")
        }
    }

    private static func isIPv4(_ host: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1
    }

    private static func isIPv6(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, host, &address) == 1
    }

    /// Whether it stands for every address of this machine.
    public var isAny: Bool { host == "0.0.0.0" || host == "::" }

    /// Whether this machine alone can reach it.
    public var isLoopback: Bool {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return withUnsafeBytes(of: &six) { Array($0) } == [UInt8](repeating: 0, count: 15) + [1]
    }
}
