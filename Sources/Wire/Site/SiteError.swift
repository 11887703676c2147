/// A refusal: what was not done, why, and what to do about it. On the wire an `ErrorBody` with the status of its kind. Names no
/// secret.
public struct SiteError: Error, Hashable, Sendable {
    /// What kind of refusal it is; decides the HTTP status.
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// The request does not make sense.
        case invalid = 400
        /// Nobody knows who the caller is.
        case unauthenticated = 401
        /// The caller may not.
        case forbidden = 403
        /// There is no such camera, policy or route.
        case notFound = 404
        /// It contradicts the present state (another revision, privacy on).
        case conflict = 409
        /// What the path names is there, and is not asked this way.
        case notAllowed = 405
        /// What the request builds on did not come before it.
        case preconditionFailed = 412
        /// The body is larger than the limit.
        case tooLarge = 413
        /// The body is of another type than the request takes.
        case unsupportedType = 415
        /// The body is understood, and cannot be followed.
        case unprocessable = 422
        /// The caller tried too often.
        case tooOften = 429
        /// The daemon failed.
        case failed = 500
        /// Not now (starting, draining, storage lost).
        case unavailable = 503
    }

    /// The kind of refusal.
    public var kind: Kind
    /// What was not done.
    public var what: String
    /// Why.
    public var why: String
    /// What to do about it.
    public var remedy: String
    /// The step of a session that was refused or failed, as docs/design/session.md names it; nil where it is none.
    public var step: String?
    /// Why, in one word of that page.
    public var reason: String?
    /// What Matter calls the refusal, such as `InvalidZone`; nil where it is none of a transport.
    public var matter: String?

    /// A refusal.
    public init(
        _ kind: Kind, what: String, why: String, remedy: String, step: String? = nil, reason: String? = nil,
        matter: String? = nil
    ) {
        self.kind = kind
        self.what = what
        self.why = why
        self.remedy = remedy
        self.step = step
        self.reason = reason
        self.matter = matter
    }
}

extension SiteError {
    /// Why nothing is answered until the cameras are started.
    package static let starting = SiteError(
        .unavailable, what: "the request was not begun", why: "the daemon is starting", remedy: "ask again in a moment")
}

extension SiteError: CustomStringConvertible {
    /// What, why and remedy in one line.
    public var description: String { "\(what): \(why) (\(remedy))" }
}
