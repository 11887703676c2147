/// The answer of `POST /v1/reload`: what the configuration and policy files changed.
public struct ReloadReport: Hashable, Sendable, Codable {
    /// Cameras that were added, removed or changed, and policies that have another revision.
    public var changed: [String]

    /// A report.
    public init(changed: [String]) { self.changed = changed }
}
