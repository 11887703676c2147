/// A login of the page, as what goes on by it is found again. It does not admit anybody.
package struct LoginID: Hashable, Sendable {
    let digest: Secret.Digest
}

/// What is not good any more.
package enum AccountEnd: Hashable, Sendable {
    /// The token of this name.
    case token(String)
    /// A login of the page.
    case login(LoginID)
}
