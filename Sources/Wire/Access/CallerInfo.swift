/// The answer of `GET /v1/me` and `POST /v1/login`: who the caller is for the daemon.
public struct CallerInfo: Hashable, Sendable, Codable {
    /// Who: the name of a token, or user and process.
    public var name: String
    /// What it may do.
    public var right: Right
    /// On which cameras, by name; absent for all.
    public var cameras: [String]?

    /// A caller.
    public init(name: String, right: Right, cameras: [String]?) {
        self.name = name
        self.right = right
        self.cameras = cameras
    }
}
