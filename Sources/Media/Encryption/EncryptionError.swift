/// Media or a picture that could not be encrypted or decrypted.
public struct EncryptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: String, Hashable, Sendable {
        case encrypt, decrypt
    }

    /// Why it failed.
    public enum Cause: Hashable, Sendable {
        /// The bytes break the format, as said.
        case malformed(String)
        /// They are well formed, but not as Vigil writes them, as said.
        case unsupported(String)
        /// They were encrypted with another key. Both are UUIDs: the one that the bytes name, and that of the key given.
        case otherKey(needed: String, given: String)
        /// A picture's tag does not fit: another key, or changed bytes.
        case notAuthentic
        /// GnuTLS refused, with this code.
        case library(Int32)
    }

    /// What was tried.
    public let operation: Operation
    /// With what: `the header of a track file`, `a fragment`, `a picture`.
    public let subject: String
    /// Why it failed.
    public let cause: Cause

    init(_ operation: Operation, _ subject: String, _ cause: Cause) {
        self.operation = operation
        self.subject = subject
        self.cause = cause
    }

    /// What the operator can do.
    public var hint: String {
        switch cause {
        case .malformed: "It is damaged; run a check of the storage."
        case .unsupported: "Only track files that Vigil wrote can be encrypted and decrypted."
        case .otherKey, .notAuthentic: "Configure the key file that was in use when it was sent."
        case .library: "Check the installation of GnuTLS."
        }
    }

    /// One line: operation, subject, cause, remedy.
    public var description: String {
        let why =
            switch cause {
            case .malformed(let what), .unsupported(let what): what
            case .otherKey(let needed, let given): "it needs the key \(needed), and has been given \(given)"
            case .notAuthentic: "it was sealed with another key, or was changed"
            case .library(let code): "GnuTLS refused with code \(code)"
            }
        return "cannot \(operation.rawValue) \(subject): \(why). \(hint)"
    }
}
