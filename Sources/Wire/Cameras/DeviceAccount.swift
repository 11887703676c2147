/// A login at a camera that is being added. Nobody keeps it but `POST /v1/cameras`.
public struct DeviceAccount: Hashable, Sendable, Codable {
    /// The user, at most 255 bytes.
    public var user: String
    /// The password, at most 255 bytes. Never log it.
    public var password: String

    /// A login.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// What is wrong with it and what to do; nil where it can be tried.
    public var flaw: (reason: String, remedy: String)? {
        if user.isEmpty || user.utf8.count > 255 || user.contains(":") {
            return ("the user is empty, too long or has a colon", "give the camera's user")
        }
        if password.utf8.count > 255 { return ("the password is too long", "give at most 255 bytes") }
        let isLine = (user + password).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        return isLine ? nil : ("the login has a control character", "give it in one line")
    }
}

extension DeviceAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user only.
    public var description: String { "\(user):<redacted>" }
    /// The user only.
    public var debugDescription: String { description }
    /// Shows the user only, to dumps and debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
