/// The cameras that a question or a right is about.
public enum CameraScope: Hashable, Sendable {
    /// Every camera, also those that are not configured any more.
    case all
    /// The cameras of these names, which need not exist.
    case only(Set<String>)

    /// Whether the camera of that name belongs to it.
    public func contains(_ camera: String) -> Bool {
        switch self {
        case .all: true
        case .only(let names): names.contains(camera)
        }
    }

    /// The names in order; nil for every camera.
    public var names: [String]? {
        switch self {
        case .all: nil
        case .only(let names): names.sorted()
        }
    }
}
