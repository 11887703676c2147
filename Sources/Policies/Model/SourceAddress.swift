/// Where the media of a stream comes from. A closed set: no program is ever started for a source.
public enum SourceAddress: Hashable, Sendable {
    /// An RTSP camera: the whole `rtsp://` or `rtsps://` address, which holds no login.
    case rtsp(String)
    /// A recording that is played in a loop in real time: an absolute path.
    case file(String)
    /// The built-in demo camera.
    case demo
    /// The camera pushes by itself, to its publishing point.
    case push

    /// The source that a text names; nil when it names none, or carries a login.
    public init?(_ text: String) {
        guard let address = try? Self.parse(text) else { return nil }
        self = address
    }

    /// The address as it is written in the file. It may hold what a camera wants in its path; show ``redacted`` instead.
    public var text: String {
        switch self {
        case .rtsp(let url): url
        case .file(let path): "file://\(path)"
        case .demo: "demo"
        case .push: "push"
        }
    }

    /// Whether the connection is encrypted.
    public var isEncrypted: Bool {
        if case .rtsp(let url) = self { url.lowercased().hasPrefix("rtsps://") } else { false }
    }

    /// The address without its query, and without a path that seems to hold a password: for logs and lists.
    public var redacted: String {
        guard case .rtsp(let url) = self else { return text }
        let shown = url.prefix { $0 != "?" && $0 != "#" }
        let authorityEnd = Self.pathStart(of: shown) ?? shown.endIndex
        guard !seemsToHoldPassword else { return shown[..<authorityEnd] + "/…" }
        return shown.endIndex == url.endIndex ? url : shown + "?…"
    }

    /// Whether path or query look like those of cameras that want the password there.
    var seemsToHoldPassword: Bool {
        guard case .rtsp(let url) = self else { return false }
        let folded = url.lowercased()
        return ["password=", "passwd=", "pwd=", "pass="].contains { folded.contains($0) }
    }

    private static func pathStart(of url: Substring) -> Substring.Index? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        return url[scheme.upperBound...].firstIndex(of: "/")
    }

    // The text is never quoted in a fault: it may hold a password.
    static func parse(_ text: String) throws(Fault) -> SourceAddress {
        // A colon at the end would need quotes in YAML, so the word alone is enough.
        if text == "demo" || text == "demo:" { return .demo }
        if text == "push" { return .push }
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) || text.hasPrefix("file:")
        else { throw Fault(reason: "the address holds a blank", remedy: "write %20 for a blank") }
        if text.hasPrefix("file://") {
            let path = String(text.dropFirst(7))
            guard path.hasPrefix("/"), path.count > 1, !path.contains("\0") else {
                throw Fault(
                    reason: "the file address has no absolute path",
                    remedy: "write file:/// and the path, such as file:///srv/sample.mp4")
            }
            return .file(path)
        }
        let folded = text.lowercased()
        guard folded.hasPrefix("rtsp://") || folded.hasPrefix("rtsps://"), let scheme = text.firstRange(of: "://")
        else {
            throw Fault(
                reason: "the address is of no known kind",
                remedy: "write rtsp://host/path, rtsps://host/path, file:///path, push or demo")
        }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // Passwords may hold "/" and "?"; an "@" before the first "/" is the common case, any other in a path is legal.
        guard !authority.contains("@"), !Self.loginSpillsIntoPath(rest) else {
            throw Fault(
                reason: "the address holds a login, which would be readable in this file and in lists",
                remedy:
                    "remove everything before the @, write `credential: NAME`, and keep user:password in that credential"
            )
        }
        try checkAuthority(String(authority))
        return .rtsp(text)
    }

    /// `user:p/w@host` looks like host `user`, port `p`: an "@" later, with a port that is none, gives it away.
    private static func loginSpillsIntoPath(_ rest: Substring) -> Bool {
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard rest.contains("@"), !authority.hasPrefix("["), let colon = authority.lastIndex(of: ":") else {
            return false
        }
        return port(authority[authority.index(after: colon)...]) == nil
    }

    private static func checkAuthority(_ authority: String) throws(Fault) {
        let (host, portText) = splitPort(authority)
        guard !host.isEmpty,
            host.unicodeScalars.allSatisfy({ $0.value > 0x20 && !"<>\"\\^`{|}".unicodeScalars.contains($0) })
        else {
            throw Fault(
                reason: "the address has no valid host", remedy: "write rtsp://host/path or rtsp://host:port/path")
        }
        if let portText, port(Substring(portText)) == nil {
            throw Fault(
                reason: "the port is not a number from 1 to 65535",
                remedy: "write rtsp://host:554/path, or leave the port out")
        }
    }

    /// Host and port of `host`, `host:port`, `[v6]`, `[v6]:port`; the host is empty when the brackets do not fit.
    static func splitPort(_ authority: String) -> (host: String, port: String?) {
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return ("", nil) }
            let host = String(authority[authority.index(after: authority.startIndex)..<close])
            let rest = authority[authority.index(after: close)...]
            if rest.isEmpty { return (host, nil) }
            return rest.hasPrefix(":") ? (host, String(rest.dropFirst())) : ("", nil)
        }
        guard let colon = authority.firstIndex(of: ":") else { return (authority, nil) }
        return (String(authority[..<colon]), String(authority[authority.index(after: colon)...]))
    }

    /// A port from 1 to 65535.
    static func port(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(text),
            (1...65_535).contains(port)
        else { return nil }
        return port
    }
}

extension SourceAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The redacted address.
    public var description: String { redacted }
    /// The redacted address.
    public var debugDescription: String { redacted }
    /// Shows the redacted address only.
    public var customMirror: Mirror { Mirror(self, children: ["address": redacted]) }
}
