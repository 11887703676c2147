internal import Hashing

/// A publishing point: the address below which a transport's sessions are put. It may hold a login, which it shows to nobody.
public struct IngestPoint: Hashable, Sendable {
    /// The address without the login; it ends with a slash.
    public let url: String
    /// What `Authorization` says; nil without a login.
    let authorization: String?

    /// What is shown in place of a login.
    private static let mask = "***"

    /// Of an address `https://[USER[:PASSWORD]@]HOST[:PORT]/[PATH/]`; nil where it is none.
    public init?(_ text: String) {
        guard let parts = Self.parts(text), text.hasSuffix("/") else { return nil }
        url = parts.scheme + parts.rest
        authorization = parts.login.map { login in
            let (user, password) = Self.split(login, at: ":")
            return "Basic " + Base64.text(Hex.unescaped(user) + [UInt8(ascii: ":")] + Hex.unescaped(password ?? ""))
        }
    }

    /// An address as it may be shown: with `***` in place of a login.
    public static func masked(_ text: String) -> String {
        guard let parts = parts(text), parts.login != nil else { return text }
        return parts.scheme + mask + "@" + parts.rest
    }

    /// `text`, or `before` where `text` is what that is shown as: who sends back what was shown changes no login.
    public static func unmasked(_ text: String, before: String?) -> String {
        before.map { text != $0 && text == masked($0) } ?? false ? before ?? text : text
    }

    /// Scheme with `://`, login, and the rest; nil where it is not HTTPS.
    private static func parts(_ text: String) -> (scheme: String, login: Substring?, rest: String)? {
        let scheme = "https://"
        guard text.lowercased().hasPrefix(scheme) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return (scheme, nil, String(rest)) }
        return (scheme, authority[..<at], String(rest[authority.index(after: at)...]))
    }

    private static func split(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
        guard let place = text.firstIndex(of: mark) else { return (text, nil) }
        return (text[..<place], text[text.index(after: place)...])
    }
}

extension IngestPoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address without the login.
    public var description: String { url }
    /// The same.
    public var debugDescription: String { url }
    /// Shows no login, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
