/// The bounds of tokens and logins.
public enum LoginBounds {
    /// Most tokens.
    static let tokensMax = 1_000
    /// Most logins of the page of one token; the oldest ends when there is one more.
    static let loginsOfTokenMax = 16
    /// Most codes that wait to be used; the oldest goes when there is one more.
    static let codesMax = 16
    /// How long a code is good, in milliseconds.
    static let codeMs: Int64 = 10 * 60_000
    /// How long a login of the page lasts after it was renewed last, in milliseconds: a week.
    static let loginMs: Int64 = 7 * 86_400_000
    /// A login that is used is renewed when it is older than this, in milliseconds: an hour.
    static let renewMs: Int64 = 3_600_000
    /// Wrong tries of one address within `triesMs`; what goes beyond is refused before it is looked at.
    static let triesMax = 10
    /// The time in which they are counted, in milliseconds.
    static let triesMs: Int64 = 60_000
    /// Most addresses that are counted; the one that tried longest ago goes when there is one more.
    static let triersMax = 4_096
}
