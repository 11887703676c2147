/// What a receiver is sent at one time.
public struct WebhookMessage: Hashable, Sendable {
    /// Names what it tells: the same each time that this is sent.
    public let id: String
    /// When it is sent, seconds since 1970-01-01T00:00:00Z.
    public let sentSeconds: Int64
    /// JSON.
    public let body: [UInt8]

    /// A message; `id` has visible ASCII alone.
    public init(id: String, sentSeconds: Int64, body: [UInt8]) {
        self.id = id
        self.sentSeconds = sentSeconds
        self.body = body
    }
}

/// Why a receiver did not take a message. Holds no secret and no address.
public struct WebhookFailure: Error, Hashable, Sendable {
    /// What it means for the messages to come.
    public enum Kind: Hashable, Sendable {
        /// Nobody answers, or the receiver asks to wait: 429, 502, 503, 504.
        case unreachable
        /// The address or the signature is not as the receiver wants it: 3xx, 401, 403, 404, 405, 410, or a secret that cannot be had.
        case refused
        /// The receiver failed at this message: 408 and other 5xx.
        case failed
        /// The receiver does not want this message: other 4xx.
        case declined
    }

    /// What it means.
    public let kind: Kind
    /// What happened, in a few words without a capital and a stop: `the receiver answers with status 500`.
    public let words: String
    /// How long the receiver asks to wait, in milliseconds, at most an hour; nil where it does not.
    public let retryAfterMs: Int64?

    /// A failure.
    public init(_ kind: Kind, _ words: String, retryAfterMs: Int64? = nil) {
        self.kind = kind
        self.words = words
        self.retryAfterMs = retryAfterMs
    }

    /// What an answer means; nil where the message was taken.
    public init?(status: Int, retryAfter: String? = nil) {
        let wait = retryAfter.flatMap { Int64($0) }.flatMap { (1...3_600).contains($0) ? $0 * 1_000 : nil }
        switch status {
        case 200..<300: return nil
        case 300..<400:
            self.init(.refused, "the receiver refers to another address (status \(status)), which is not asked")
        case 401, 403, 404, 405, 410: self.init(.refused, "the receiver refuses it (status \(status))")
        case 429, 502, 503, 504:
            self.init(.unreachable, "the receiver asks to wait (status \(status))", retryAfterMs: wait)
        case 408, 500...: self.init(.failed, "the receiver answers with status \(status)", retryAfterMs: wait)
        default: self.init(.declined, "the receiver does not take it (status \(status))")
        }
    }
}
