/// A login at a camera. It shows its password to nobody: description, debug description and mirror redact it.
public struct Credential: Hashable, Sendable {
    /// The user; may be empty for cameras that want only a password.
    public let user: String
    /// The password. Never log it, never put it in an error or an address.
    public let password: String

    /// A login.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The login that `user:password` says; the password may hold colons. One line end is dropped. Nil when there is no
    /// colon, more than one line, or more than 1 KiB.
    public init?(text: String) {
        guard text.utf8.count <= 1_024 else { return nil }
        var line = text[...]
        if line.last == "\n" || line.last == "\r\n" { line.removeLast() }
        guard !line.contains(where: \.isNewline), !line.contains("\0"), let colon = line.firstIndex(of: ":") else {
            return nil
        }
        user = String(line[..<colon])
        password = String(line[line.index(after: colon)...])
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user only.
    public var description: String { "\(user):<redacted>" }
    /// The user only.
    public var debugDescription: String { description }
    /// Shows the user only, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
