/// What the holder of a token may do, in words for people; each stands for a `Right`.
public enum TokenRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// May look.
    case viewer
    /// May act on cameras and clips as well.
    case `operator`
    /// May change policies, the configuration and, with every camera, tokens as well.
    case admin
}
