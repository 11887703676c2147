/// Which version this program is.
enum Version {
    /// Semantic version.
    static let number = "0.1.0"
}
