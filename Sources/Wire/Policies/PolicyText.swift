/// One policy with its text, as `GET /v1/policies/{name}` tells it.
public struct PolicyText: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// Its revision; a change names the revision it was made from.
    public var revision: String
    /// The file it comes from.
    public var path: String
    /// The file's text, comments included.
    public var text: String
    /// What it does, in sentences.
    public var explanation: String

    /// One policy.
    public init(name: String, revision: String, path: String, text: String, explanation: String) {
        self.name = name
        self.revision = revision
        self.path = path
        self.text = text
        self.explanation = explanation
    }
}
