/// Why a file could not be edited.
public enum EditProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No key of this path exists in such a file.
    case unknownKey(keyPath: String, remedy: String)
    /// The key to remove is not in the file, or the list element to change.
    case absent(keyPath: String)
    /// The key is written in a way that cannot be changed without touching what is around it.
    case tooInvolved(keyPath: String)
    /// The file, before or after the change, does not hold.
    case refused(Refusal)

    /// One line, or one for each finding.
    public var description: String {
        switch self {
        case .unknownKey(let keyPath, let remedy): "the key \(keyPath) is unknown; \(remedy)"
        case .absent(let keyPath): "the file does not say \(keyPath); there is nothing to change"
        case .tooInvolved(let keyPath):
            "\(keyPath) cannot be changed by itself as it is written; use vigil policy edit"
        case .refused(let refusal): refusal.description
        }
    }
}
