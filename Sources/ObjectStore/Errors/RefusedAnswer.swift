internal import XML

/// An answer that is no success, and its class. Which codes there are: "Error responses" in the Amazon S3 API reference; MinIO, Ceph
/// and others add some of their own. Where code and status speak of different things, the code decides.
struct RefusedAnswer {
    let operation: StoreOperation
    let status: Int
    let answer: ErrorAnswer
    /// The region that the header `x-amz-bucket-region` names.
    let regionHeader: String?
    /// The region that the request was signed for: what names it tells nothing.
    let ownRegion: String
    /// The header `Date`.
    let date: String?
    /// The header `Retry-After`.
    let retryAfter: String?
    /// Whether the request was not to replace an object.
    let wasNew: Bool

    /// The class.
    var cause: StoreError.Cause { answer.code.flatMap(causeOfCode) ?? causeOfStatus }

    private func causeOfCode(_ code: String) -> StoreError.Cause? {
        switch code {
        case "RequestTimeTooSkewed", "RequestExpired": skewed
        case "AccessDenied", "AccountProblem", "AllAccessDisabled", "CredentialsNotSupported",
            "CrossLocationLoggingProhibited",
            "ExpiredToken", "InvalidAccessKeyId", "InvalidObjectState", "InvalidPayer", "InvalidSecurity",
            "InvalidToken",
            "MethodNotAllowed", "NotSignedUp", "SignatureDoesNotMatch", "TokenRefreshRequired", "UnauthorizedAccess",
            "XMinioAdminBucketQuotaDenied", "Forbidden", "ObjectLocked":
            .refused
        case "AuthorizationHeaderMalformed":
            region == nil ? .refused : .wrongRegion(region)
        case "PermanentRedirect", "TemporaryRedirect", "Redirect", "IncorrectEndpoint",
            "IllegalLocationConstraintException":
            .wrongRegion(region)
        case "NoSuchBucket", "XMinioInvalidBucketName", "InvalidBucketName": .noBucket
        case "NoSuchKey", "NoSuchUpload", "NoSuchVersion", "NotFound": .notFound
        case "PreconditionFailed": wasNew ? .exists : .preconditionFailed
        case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage",
            "InsufficientCapacity", "StorageQuotaExceeded", "TooManyBuckets", "ServiceQuotaExceeded", "NoSpaceLeft":
            .full
        case "SlowDown", "ServiceUnavailable", "RequestLimitExceeded", "Throttling", "ThrottlingException",
            "TooManyRequests", "SlowDownRead", "SlowDownWrite", "XMinioServerNotInitialized", "OperationAborted",
            "ConditionalRequestConflict", "BandwidthLimitExceeded":
            .slowDown(retryAfterSeconds: pause)
        case "RequestTimeout", "IncompleteBody": .unreachable("the store waited too long for the rest of the request")
        case "NotImplemented": .invalid("the store does not do this")
        case "InternalError", "XMinioBackendDown", "InternalServerError": .server
        case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "ContentSHA256Mismatch",
            "XAmzContentChecksumMismatch":
            .mismatch("the store's sum of what it got is not the one that was sent")
        case "InvalidPart", "InvalidPartOrder", "EntityTooSmall":
            .mismatch("the store does not have the parts as they were sent")
        default: nil
        }
    }

    private var causeOfStatus: StoreError.Cause {
        switch status {
        case 301, 302, 303, 307, 308:
            region == nil
                ? .invalid("the store sends on to another address, which is not followed") : .wrongRegion(region)
        case 400 where region != nil: .wrongRegion(region)
        case 401, 403, 405: .refused
        case 404:
            // A HEAD has no body that could tell a bucket that is missing from an object that is.
            operation == .listObjects || operation == .listUploads || operation == .putObject ? .noBucket : .notFound
        case 408: .unreachable("the store waited too long for the rest of the request")
        case 409, 429, 503: .slowDown(retryAfterSeconds: pause)
        case 412: wasNew ? .exists : .preconditionFailed
        case 416: .invalid("the object does not have these bytes")
        case 507: .full
        case 501: .invalid("the store does not do this")
        case 500...: .server
        default: .invalid("the store does not take the request")
        }
    }

    private var skewed: StoreError.Cause {
        .skewed(serverSeconds: date.flatMap(ServerTime.init(http:))?.seconds)
    }

    private var region: String? {
        [answer.region, regionHeader.flatMap(ErrorAnswer.word)].compactMap { $0 }.first { $0 != ownRegion }
    }

    /// `Retry-After` in seconds, at most a day. A date there is rare, and taken for no hint.
    private var pause: Int? { retryAfter.flatMap { Int($0.trimmed) }.map { min(max($0, 0), 86_400) } }
}
