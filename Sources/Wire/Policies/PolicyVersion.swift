/// A text that a policy had before it was changed by command.
public struct PolicyVersion: Hashable, Sendable, Codable {
    /// Its revision.
    public var revision: String
    /// When another text took its place.
    public var replaced: WallTime
    /// The text, comments included.
    public var text: String

    /// One version.
    public init(revision: String, replaced: WallTime, text: String) {
        self.revision = revision
        self.replaced = replaced
        self.text = text
    }
}
