/// The body of `POST /v1/cameras/{camera}/record`.
public struct RecordCommand: Hashable, Sendable, Codable {
    /// Longest command: one hour.
    public static let forMsMax: Int64 = 3_600_000

    /// How long to record, in milliseconds, 1 000…`forMsMax`; absent for the policy's own length.
    public var forMs: Int64?

    /// A command.
    public init(forMs: Int64? = nil) { self.forMs = forMs }
}
