internal import Foundation

/// Where this repository is checked out.
enum Repository {
    /// Its top folder.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
