internal import HTTPTypes
internal import NIOCore

/// Decides who may speak to the daemon over TCP: whoever shows a token (`Authorization: Bearer …`), or the cookie of the page's
/// login.
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
            let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else {
                throw Accounts.unauthenticated("its field Authorization is not \"Bearer\" and a token")
            }
            return Admission(try accounts.principal(token: String(parts[1]), from: address))
        }
        guard let value = cookie.value(in: request.headerFields) else {
            throw Accounts.unauthenticated("it carries neither a token nor the cookie of a login")
        }
        let (principal, login, isRenewed) = try accounts.principal(login: value, from: address)
        try PageRequest.check(request)
        return Admission(principal, login: login, cookie: isRenewed ? cookie.setting(value) : nil)
    }

    /// The address at the other end, without its port.
    static func address(of channel: any Channel) -> String {
        channel.remoteAddress?.ipAddress ?? "an unknown address"
    }
}
