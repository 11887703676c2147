/// A login at a broker. It shows its password to nobody.
public struct Login: Hashable, Sendable {
    /// The user.
    public let user: String
    /// The password.
    let password: String

    /// A login.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension Login: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user only.
    public var description: String { "\(user):<redacted>" }
    /// The user only.
    public var debugDescription: String { description }
    /// Shows the user only, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
