/// Which of a camera's streams is looked at.
public enum LiveStream: String, Hashable, Sendable, Codable, CaseIterable {
    /// The one that is recorded.
    case main
    /// The smaller one.
    case sub
}
