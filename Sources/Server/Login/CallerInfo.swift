/// The answer of `GET /v1/me` and `POST /v1/login`: who the caller is for the daemon.
public struct CallerInfo: Hashable, Sendable, Codable {
    /// Who: the name of a token, or user and process.
    public var name: String
    /// What it may do.
    public var right: Right
    /// On which cameras, by name; absent for all.
    public var cameras: [String]?

    /// What `principal` may.
    init(_ principal: Principal) {
        switch principal.caller {
        case .token(let name, _): self.name = name
        case .process: name = "\(principal.caller)"
        }
        right = principal.right
        cameras = principal.cameras.names
    }
}
