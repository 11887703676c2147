/// Where the HTTP interface listens.
public struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name or numeric address, without brackets.
    public let host: String
    /// A port, 1 to 65535.
    public let port: Int

    /// An address; host and port are taken as they are.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool {
        host == "localhost" || host == "::1" || (host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." })
    }

    /// As it is written in the file.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Nil for `none`.
    static func parse(_ text: String) throws(Fault) -> ListenAddress? {
        if text == "none" { return nil }
        let (host, portText) = SourceAddress.splitPort(text)
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }), let portText,
            let port = SourceAddress.port(Substring(portText))
        else {
            throw Fault(
                reason: "\"\(text.prefix(80))\" is not an address and port",
                remedy: "write 127.0.0.1:8080, [::1]:8080, 0.0.0.0:8080 or none")
        }
        return ListenAddress(host: host, port: port)
    }
}
