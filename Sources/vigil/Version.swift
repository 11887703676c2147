internal import Daemon

/// Which version this program is.
enum Version {
    /// Semantic version.
    static let number = vigilVersion
}
