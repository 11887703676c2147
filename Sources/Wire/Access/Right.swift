/// What a caller may do. Each right includes those before it.
public enum Right: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// To look: states, recordings, pictures, explanations.
    case view
    /// To act on cameras: record, trigger, switch, protect.
    case operate
    /// To change what is in force: policies and the configuration.
    case administer

    /// Whether `lhs` allows less.
    public static func < (lhs: Right, rhs: Right) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .view: 0
        case .operate: 1
        case .administer: 2
        }
    }
}
