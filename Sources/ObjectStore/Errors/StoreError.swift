/// Why an operation on a store failed. It names operation, bucket and key, the cause as the store told it, and what to do; it never
/// holds credentials, signatures or tokens.
public struct StoreError: Error, Sendable, Hashable {
    /// The classes of causes. What a caller does next depends on the class alone.
    public enum Cause: Sendable, Hashable {
        /// Nobody was spoken to, or not to the end: no address, no connection, a time-out, a connection that was cut.
        case unreachable(String)
        /// The server's certificate does not prove that it is the right one, or no TLS is spoken there.
        case tls(String)
        /// The store knows the request and does not allow it: credentials, signature, or a right that is missing.
        case refused
        /// The clocks differ too much for a signature to hold; the store's time, in seconds since 1970, where it told one.
        case skewed(serverSeconds: Int64?)
        /// The bucket is in another region; its name, where the store told it.
        case wrongRegion(String?)
        /// There is no such bucket.
        case noBucket
        /// There is no such object, or no such upload.
        case notFound
        /// There is an object of this key already, and it was not to be replaced.
        case exists
        /// The object is not the one that was asked for (`If-Match`).
        case preconditionFailed
        /// The store has no room left, or a quota is used up.
        case full
        /// The store wants fewer requests; in how many seconds it may be tried again, where it told.
        case slowDown(retryAfterSeconds: Int?)
        /// The store failed by itself.
        case server
        /// What the store has is not what was sent, or what came is not what the store has.
        case mismatch(String)
        /// The answer makes no sense, or the request made none to the store.
        case invalid(String)
        /// What was to be sent could not be read, or changed meanwhile; the store has no part in it.
        case source(String)
        /// There are no credentials to sign with.
        case noCredentials(String)
    }

    /// The class of the cause.
    public let cause: Cause
    /// What was being done.
    public let operation: StoreOperation
    /// The bucket.
    public let bucket: String
    /// The object's key; nil where the bucket was asked.
    public let key: String?
    /// The status of the answer; nil where none came.
    public let status: Int?
    /// The store's code for the cause, such as `SlowDown`; nil where the store told none.
    public let code: String?
    /// The store's own words: one line of at most 300 characters; nil where there were none.
    public let message: String?

    init(
        _ cause: Cause, _ operation: StoreOperation, bucket: String, key: String?, status: Int? = nil,
        code: String? = nil, message: String? = nil
    ) {
        self.cause = cause
        self.operation = operation
        self.bucket = bucket
        self.key = key
        self.status = status
        self.code = code
        self.message = message
    }
}

/// What can be done with a store, by the names of the Amazon S3 API.
public enum StoreOperation: String, Sendable, Hashable, CaseIterable {
    /// The facts about an object.
    case headObject = "HeadObject"
    /// An object, or some of its bytes.
    case getObject = "GetObject"
    /// A new object.
    case putObject = "PutObject"
    /// One object less.
    case deleteObject = "DeleteObject"
    /// Many objects less.
    case deleteObjects = "DeleteObjects"
    /// A page of the objects.
    case listObjects = "ListObjectsV2"
    /// Begins an upload in parts.
    case createUpload = "CreateMultipartUpload"
    /// Sends a part.
    case uploadPart = "UploadPart"
    /// The parts that the store has.
    case listParts = "ListParts"
    /// The uploads that are open.
    case listUploads = "ListMultipartUploads"
    /// Makes an object of the parts.
    case completeUpload = "CompleteMultipartUpload"
    /// Gives the parts up.
    case abortUpload = "AbortMultipartUpload"
}
