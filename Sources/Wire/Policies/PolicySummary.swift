/// One policy that is loaded, as `GET /v1/policies` tells it.
public struct PolicySummary: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// Its revision; changes with every change of its text.
    public var revision: String
    /// The file it comes from.
    public var path: String
    /// The cameras that follow it.
    public var cameras: [String]
    /// What it does, in one line.
    public var summary: String

    /// One policy.
    public init(name: String, revision: String, path: String, cameras: [String], summary: String) {
        self.name = name
        self.revision = revision
        self.path = path
        self.cameras = cameras
        self.summary = summary
    }
}
