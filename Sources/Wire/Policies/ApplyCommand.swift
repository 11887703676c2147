/// The body of `PUT /v1/policies/{name}`.
public struct ApplyCommand: Hashable, Sendable, Codable {
    /// The text of the policy file.
    public var text: String
    /// The revision from which the text was made; absent to create a policy that is not there yet.
    public var expectedRevision: String?

    /// A text to apply.
    public init(text: String, expectedRevision: String?) {
        self.text = text
        self.expectedRevision = expectedRevision
    }
}
