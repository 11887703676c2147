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
    }

    /// The refusal.
    public var error: Detail

    /// The body that tells `error`.
    public init(_ error: SiteError) {
        self.error = Detail(what: error.what, why: error.why, remedy: error.remedy)
    }
}
