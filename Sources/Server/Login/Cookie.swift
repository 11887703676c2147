internal import HTTPTypes

/// The cookie of the page's login. No script sees it, and no other site's page sends it.
struct Cookie {
    /// Whether it travels over TLS. A browser then takes it from this host alone, and sends it only so.
    let isSecure: Bool

    /// Its name. `__Host-` is a promise that browsers keep (RFC 6265bis, 4.1.3.2).
    var name: String { isSecure ? "__Host-vigil" : "vigil" }

    /// The value in a request's `Cookie` fields; nil where there is none or more than one.
    func value(in fields: HTTPFields) -> String? { CookieText.value(of: name, in: fields[values: .cookie]) }

    /// The `Set-Cookie` field that gives a browser the login for `LoginBounds.loginMs`.
    func setting(_ value: String) -> String { field(value, seconds: LoginBounds.loginMs / 1_000) }

    /// The `Set-Cookie` field that takes it away.
    var clearing: String { field("", seconds: 0) }

    private func field(_ value: String, seconds: Int64) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }
}
