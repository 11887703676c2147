import Foundation

/// Looks credentials up, first found: the systemd credential of that name, the environment variable
/// `VIGIL_CREDENTIAL_<NAME>`, then the place that the `credentials` section names.
///
/// What comes first overrides what comes later, so that a unit file or a test may replace what the file says. What is
/// there and unusable is an error: falling through would log in with something that the owner believes replaced.
public struct CredentialStore: Sendable {
    private let references: [String: CredentialReference]
    private let environment: [String: String]

    /// A store for a configuration's references, with this environment; the process's own when nil.
    public init(
        references: [String: CredentialReference],
        environment: [String: String]? = nil
    ) {
        self.references = references
        self.environment = environment ?? ProcessInfo.processInfo.environment
    }

    /// The environment variable of a credential: capitals, and `_` for `-`.
    public static func variable(for name: String) -> String {
        "VIGIL_CREDENTIAL_" + name.uppercased().replacing("-", with: "_")
    }

    /// The credential of a name. Blocking: it may read a file. Throws a ``CredentialProblem``, which holds no secret.
    public func credential(_ name: String) throws(CredentialProblem) -> Credential {
        guard ValueForm.name.fault(name) == nil else {
            throw CredentialProblem(
                name: name, place: "the configuration", cause: "it is not a name", remedy: "correct the name")
        }
        if let found = try systemd(name, for: name) { return found }
        if let found = try variable(Self.variable(for: name), for: name) { return found }
        switch references[name] {
        case .file(let path):
            return try parse(try contents(path, for: name, guarded: true), name: name, place: path)
        case .environment(let key):
            if let found = try variable(key, for: name) { return found }
            throw CredentialProblem(
                name: name, place: "environment variable \(key)", cause: "it is not set",
                remedy: "set it to user:password for the daemon")
        case .systemd(let other):
            if let found = try systemd(other, for: name) { return found }
            throw CredentialProblem(
                name: name, place: "systemd credential \(other)", cause: "it is not there",
                remedy: "add LoadCredential=\(other):/path to the unit")
        case nil:
            throw CredentialProblem(
                name: name, place: "systemd credentials, environment and configuration", cause: "it is in none of them",
                remedy:
                    "add LoadCredential=\(name):/path to the unit, set \(Self.variable(for: name)), or write credentials: { \(name): { file: /path } }"
            )
        }
    }

    private func systemd(_ credential: String, for name: String) throws(CredentialProblem) -> Credential? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { return nil }
        let path = FilePath.resolve(credential, in: folder)
        guard DiskFiles().kind(of: path) != .nothing else { return nil }
        // systemd guards this folder itself: the files are 0440 for the unit's user.
        return try parse(
            try contents(path, for: name, guarded: false), name: name, place: "systemd credential \(credential)")
    }

    private func variable(_ key: String, for name: String) throws(CredentialProblem) -> Credential? {
        guard let text = environment[key] else { return nil }
        return try parse(text, name: name, place: "environment variable \(key)")
    }

    private func parse(_ text: String, name: String, place: String) throws(CredentialProblem) -> Credential {
        guard let credential = Credential(text: text) else {
            throw CredentialProblem(
                name: name, place: place, cause: "it is not user:password in one line",
                remedy: "write one line: user, a colon, the password")
        }
        return credential
    }

    private func contents(_ path: String, for name: String, guarded: Bool) throws(CredentialProblem) -> String {
        let problem = { (cause: String, remedy: String) in
            CredentialProblem(name: name, place: path, cause: cause, remedy: remedy)
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let found = FileProblem.fromErrno("read", path)
            throw problem(found.cause, found.remedy)
        }
        defer { close(descriptor) }
        var status = stat()
        // The open file is asked, not the path, so that it cannot be exchanged in between.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw problem("it is not a regular file", "name a file")
        }
        if guarded, status.st_mode & 0o077 != 0 {
            throw problem("others than its owner may read or write it", "chmod 600 it")
        }
        guard let bytes = try? DiskFiles.read(descriptor, path: path, limit: 4_096),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw problem("it cannot be read as text", "write one line: user, a colon, the password") }
        return text
    }
}

/// Why a credential could not be had. Holds no secret.
public struct CredentialProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The credential's name.
    public let name: String
    /// Where it was looked for.
    public let place: String
    /// What is wrong.
    public let cause: String
    /// What the operator can do.
    public let remedy: String

    /// One sentence.
    public var description: String { "credential \(name) (\(place)): \(cause); \(remedy)" }
}
