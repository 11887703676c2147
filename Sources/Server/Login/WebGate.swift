internal import HTTPTypes
internal import Hashing
internal import NIOCore

/// Decides who may speak to the daemon over TCP: whoever shows a token (`Authorization: Bearer …`, or `Basic` with the token as
/// password of any user), or the cookie of the page's login.
struct WebGate: Sendable {
    /// Who there is.
    let accounts: Accounts
    /// The cookie of the page's login.
    let cookie: Cookie

    /// A gate of a listener; `isSecure` where it speaks TLS.
    init(_ accounts: Accounts, isSecure: Bool) {
        self.accounts = accounts
        cookie = Cookie(isSecure: isSecure)
    }

    /// Who asks, or a refusal. A request that brings a token is not looked at for a cookie.
    func admit(_ request: HTTPRequest, _ channel: any Channel) throws(SiteError) -> Admission {
        let address = Self.address(of: channel)
        if let field = request.headerFields[.authorization] {
            guard let (token, isBasic) = Self.token(in: field) else {
                throw Accounts.unauthenticated(
                    "its field Authorization is not \"Bearer\" and a token, or \"Basic\" with one as password")
            }
            if isBasic { try PageRequest.checkNoBrowser(request) }
            return Admission(try accounts.principal(token: token, from: address))
        }
        guard let value = cookie.value(in: request.headerFields) else {
            throw Accounts.unauthenticated("it carries neither a token nor the cookie of a login")
        }
        let (principal, login, isRenewed) = try accounts.principal(login: value, from: address)
        try PageRequest.check(request)
        return Admission(principal, login: login, cookie: isRenewed ? cookie.setting(value) : nil)
    }

    /// What a field Authorization shows as a token, and whether as a password; nil where it is neither. Pure.
    static func token(in field: String) -> (token: String, isBasic: Bool)? {
        let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return (String(parts[1]), false)
        case "basic":
            // The user is any, also none (RFC 7617, 2: it holds no colon).
            guard let bytes = Base64.bytes(parts[1]), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
                return nil
            }
            return (String(decoding: bytes[(colon + 1)...], as: UTF8.self), true)
        default: return nil
        }
    }

    /// The address at the other end, without its port.
    static func address(of channel: any Channel) -> String {
        channel.remoteAddress?.ipAddress ?? "an unknown address"
    }
}
