extension TokenRole {
    /// The right that it gives.
    public var right: Right {
        switch self {
        case .viewer: .view
        case .operator: .operate
        case .admin: .administer
        }
    }
}
