internal import Glibc

/// A loopback address and port for the TCP listener.
public struct ListenAddress: Hashable, Sendable {
    /// A numeric address.
    public let host: String
    /// The port; 0 lets the system choose.
    public let port: Int

    /// The address where nothing is configured.
    public static let standard = ListenAddress(host: "127.0.0.1", port: 8_080)

    private init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080` (which means 127.0.0.1, whatever the resolver says).
    /// Refuses every address that other machines can reach; names are not resolved, so none can turn into one.
    public init(parsing text: String) throws(ListenError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .malformedAddress(text)
        }
        var name = String(text[..<colon])
        if name.hasPrefix("["), name.hasSuffix("]") {
            name = String(name.dropFirst().dropLast())
            var address = in6_addr()
            guard inet_pton(AF_INET6, name, &address) == 1 else { throw .malformedAddress(text) }
            let bytes = withUnsafeBytes(of: &address) { Array($0) }
            guard bytes == [UInt8](repeating: 0, count: 15) + [1] else { throw .notLoopback(text) }
            self.init(host: name, port: Int(port))
            return
        }
        if name == "localhost" { name = "127.0.0.1" }
        var address = in_addr()
        guard inet_pton(AF_INET, name, &address) == 1 else {
            throw name.isEmpty || name == "*" || !name.contains(":") ? .notLoopback(text) : .malformedAddress(text)
        }
        guard UInt32(bigEndian: address.s_addr) >> 24 == 127 else { throw .notLoopback(text) }
        self.init(host: name, port: Int(port))
    }
}

extension ListenAddress: CustomStringConvertible {
    /// `127.0.0.1:8080` or `[::1]:8080`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
