internal import Glibc

/// Where the HTTP interface listens: a numeric loopback address and a port. What reads it refuses every address that other
/// machines can reach.
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
        guard isLoopback(numeric) else {
            throw Fault(
                reason:
                    "\"\(text.prefix(80))\" can be reached from other machines, and this listener knows neither TLS nor "
                    + "passwords",
                remedy: "write 127.0.0.1:\(port) and put a TLS proxy or an SSH tunnel before it")
        }
        return ListenAddress(host: numeric, port: port)
    }

    private static func isIPv6(_ host: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, host, &address) == 1
    }

    private static func isLoopback(_ host: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return withUnsafeBytes(of: &six) { Array($0) } == [UInt8](repeating: 0, count: 15) + [1]
    }
}
