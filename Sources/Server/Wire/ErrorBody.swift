/// The body of every answer that is not a success.
public struct ErrorBody: Hashable, Sendable, Codable {
    /// What, why, remedy.
    public struct Detail: Hashable, Sendable, Codable {
        /// What was not done.
        public var what: String
        /// Why.
        public var why: String
        /// What to do about it.
        public var remedy: String
        /// The step of a session that was refused or failed; absent where it is none.
        public var step: String?
        /// Why, in one word; with `step` only.
        public var reason: String?
    }

    /// The refusal.
    public var error: Detail

    /// The body that tells `error`.
    public init(_ error: SiteError) {
        self.error = Detail(
            what: error.what, why: error.why, remedy: error.remedy, step: error.step, reason: error.reason)
    }
}
