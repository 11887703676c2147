internal import Hashing
internal import XML

/// A login in the head of a request (WS-Security UsernameToken Profile 1.0, with a digest): the password itself is never in it.
package struct UsernameToken: Sendable {
    private let user: String
    private let password: String
    private let nonce: [UInt8]
    private let created: DeviceTime

    /// A token for one request. `created` is the time as the device's own clock has it: it refuses one that is minutes away. The
    /// nonce has 16 bytes at random.
    package init(user: String, password: String, created: DeviceTime) {
        var generator = SystemRandomNumberGenerator()
        self.init(
            user: user, password: password, created: created,
            nonce: (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    init(user: String, password: String, created: DeviceTime, nonce: [UInt8]) {
        (self.user, self.password, self.created, self.nonce) = (user, password, created, nonce)
    }

    /// What stands in place of the password.
    var digest: String {
        Base64.text(SHA1.value(of: nonce + Array(created.text.utf8) + Array(password.utf8)))
    }

    /// The element of the head.
    package var element: String {
        let utility = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
        let security = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
        let kind = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest"
        let coding = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"
        return
            "<wsse:Security xmlns:wsse=\"\(security)\" xmlns:wsu=\"\(utility)\" s:mustUnderstand=\"1\"><wsse:UsernameToken>"
            + "<wsse:Username>\(XMLNode.escaped(user))</wsse:Username><wsse:Password Type=\"\(kind)\">\(digest)</wsse:Password>"
            + "<wsse:Nonce EncodingType=\"\(coding)\">\(Base64.text(nonce))</wsse:Nonce>"
            + "<wsu:Created>\(created.text)</wsu:Created></wsse:UsernameToken></wsse:Security>"
    }
}

extension UsernameToken: CustomStringConvertible, CustomReflectable {
    /// Nothing of the login.
    package var description: String { "login (hidden)" }
    /// Shows nothing to `dump` and the debugger.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
