/// Who was let in, and what their browser is to be told.
struct Admission: Hashable, Sendable {
    /// Who it is, and what they may.
    let principal: Principal
    /// The login of the page, where it is one.
    var login: Secret.Digest?
    /// A `Set-Cookie` field for the answer: the login lasts longer.
    var cookie: String?

    /// Somebody whose browser is told nothing.
    init(_ principal: Principal, login: Secret.Digest? = nil, cookie: String? = nil) {
        self.principal = principal
        self.login = login
        self.cookie = cookie
    }
}
