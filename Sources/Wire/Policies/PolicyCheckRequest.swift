/// The body of `POST /v1/policies/check`.
public struct PolicyCheckRequest: Hashable, Sendable, Codable {
    /// The text of a policy file.
    public var text: String

    /// A text to check.
    public init(text: String) { self.text = text }
}
