/// What happens to tokens and logins, for the journal. Names no secret.
public enum AccountEvent: Hashable, Sendable {
    /// A token was made.
    case created(TokenInfo, by: Caller)
    /// A token is not good any more.
    case revoked(String, by: Caller)
    /// A link was made that logs the page in once as this token.
    case linked(String, by: Caller)
    /// The page logged in, with a code or with the token.
    case loggedIn(Caller, byCode: Bool)
    /// The page logged out.
    case loggedOut(Caller)
    /// So many wrong tries came from an address within a minute that no more are looked at; `token` is the one that was claimed,
    /// where there is one.
    case triesRefused(address: String, token: String?)
}
