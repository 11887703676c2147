/// Where the file says that a credential is kept.
public enum CredentialReference: Hashable, Sendable {
    /// A file, resolved against the configuration's folder.
    case file(String)
    /// An environment variable.
    case environment(String)
    /// A systemd credential of another name.
    case systemd(String)
}
