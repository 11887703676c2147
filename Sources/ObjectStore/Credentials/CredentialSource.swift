/// Where credentials come from. What is configured is a reference; the secret itself stands elsewhere, except in `values`.
public enum CredentialSource: Sendable {
    /// These.
    case values(Credentials)
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, where there is one, `AWS_SESSION_TOKEN`.
    case environment
    /// A file as the AWS tools share it: `[profile]`, then `aws_access_key_id = …` and so on. It is read again every minute.
    case file(path: String, profile: String = "default")
    /// A credential that systemd hands over (`LoadCredential=`, `SetCredentialEncrypted=`): a file of this name in
    /// `$CREDENTIALS_DIRECTORY`, written like `file`, with or without the line `[default]`.
    case systemd(name: String)
    /// The endpoint of a container's or pod's agent: `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `…_FULL_URI`, with
    /// `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or `AWS_CONTAINER_AUTHORIZATION_TOKEN` ("Container credential provider" in the AWS
    /// SDKs reference). They are asked for again five minutes before they end.
    case container
}

/// Why there are no credentials, and what to do; without any of them.
struct CredentialDefect: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
