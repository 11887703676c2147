/// The body of every answer that is not a success: problem details (RFC 9457), with what Vigil says of each refusal.
public struct ErrorBody: Hashable, Sendable, Codable {
    /// What kind of problem it is: `about:blank`, as the status says all that there is to say.
    public var type: String
    /// The kind in words: the phrase of the status.
    public var title: String
    /// The status.
    public var status: Int
    /// What was not done, and why, in one sentence.
    public var detail: String
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
    /// What Matter calls the refusal, such as `InvalidZone`; absent where it is none of a transport.
    public var matter: String?

    /// The media type of such a body.
    package static let mediaType = "application/problem+json"

    /// The body that tells `error`.
    public init(_ error: SiteError) {
        type = "about:blank"
        title = error.kind.phrase
        status = error.kind.rawValue
        detail = "\(error.what): \(error.why)"
        what = error.what
        why = error.why
        remedy = error.remedy
        step = error.step
        reason = error.reason
        matter = error.matter
    }
}

extension SiteError {
    /// The refusal that a body tells, which came with this status; nil where that is none of a refusal.
    public init?(_ body: ErrorBody, status: Int) {
        guard let kind = Kind(rawValue: status) else { return nil }
        self.init(
            kind, what: body.what, why: body.why, remedy: body.remedy, step: body.step, reason: body.reason,
            matter: body.matter)
    }
}

extension SiteError.Kind {
    /// The phrase of its status (RFC 9110, 15).
    package var phrase: String {
        switch self {
        case .invalid: "Bad Request"
        case .unauthenticated: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .conflict: "Conflict"
        case .notAllowed: "Method Not Allowed"
        case .preconditionFailed: "Precondition Failed"
        case .tooLarge: "Content Too Large"
        case .unsupportedType: "Unsupported Media Type"
        case .unprocessable: "Unprocessable Content"
        case .tooOften: "Too Many Requests"
        case .failed: "Internal Server Error"
        case .unavailable: "Service Unavailable"
        }
    }
}
