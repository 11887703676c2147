internal import XML

/// Reads credentials out of text. What is there is never repeated in an error: a line that is not understood may be the secret.
enum CredentialText {
    /// The credentials of a profile in a shared credentials file. Lines before any `[profile]` count as of `default`. Names are of
    /// any case; those of the environment are taken, too.
    static func shared(_ text: String, profile: String) throws(CredentialDefect) -> Credentials {
        var (section, fields, isThere) = ("default", [String: String](), false)
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast()).trimmed
                isThere = isThere || section == profile
            } else if section == profile, let equals = line.firstIndex(of: "=") {
                fields[line[..<equals].trimmed.lowercased()] = line[line.index(after: equals)...].trimmed
            }
        }
        guard isThere || !fields.isEmpty else { throw CredentialDefect("there is no profile \(quoted(profile)) in it") }
        return try made(fields["aws_access_key_id"], fields["aws_secret_access_key"], fields["aws_session_token"])
    }

    /// Credentials of the environment's variables.
    static func environment(_ variable: (String) -> String?) throws(CredentialDefect) -> Credentials {
        try made(
            variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"),
            variable("AWS_SESSION_TOKEN").flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Credentials of parts that may be missing.
    static func made(
        _ id: String?, _ secret: String?, _ token: String?, expirySeconds: Int64? = nil
    ) throws(CredentialDefect) -> Credentials {
        guard let id, let secret else {
            throw CredentialDefect("there is no \(id == nil ? "access key id" : "secret access key")")
        }
        guard
            let made = Credentials(
                accessKeyID: id, secretAccessKey: secret, sessionToken: token, expirySeconds: expirySeconds)
        else { throw CredentialDefect("id, secret or token is empty, too long, or has characters that none has") }
        return made
    }

    private static func quoted(_ text: String) -> String {
        ErrorAnswer.line(String(text.prefix(64))) ?? "without a name"
    }
}
