internal import Glibc

/// The file in which Vigil keeps the login of a camera that was added by command: `logins/NAME` beside vigil.yaml, for its owner
/// alone.
public struct LoginFile: Hashable, Sendable {
    /// The folder, beside vigil.yaml.
    static let folder = "logins"

    /// Where it is.
    public let path: String
    private let folder: String

    /// The file for `name`, a name of a login (``CameraEditor/fault(inName:)``), beside the configuration at `configuration`.
    public init(_ name: String, beside configuration: String) {
        folder = "\(FilePath.folder(of: configuration))/\(Self.folder)"
        path = "\(folder)/\(name)"
    }

    /// Where vigil.yaml says that it is.
    public static func relative(_ name: String) -> String { "\(folder)/\(name)" }

    /// Writes it, with a folder of mode 0700 where there is none. Durable when it returns. Blocking. Throws a `FileProblem`, which
    /// holds no secret; of kind `occupied` where there is such a file.
    public func create(_ login: Credential) throws(FileProblem) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .fromErrno("create", folder) }
        do {
            try AtomicFile.create(path, text: "\(login.user):\(login.password)\n", mode: 0o600)
        } catch  where error.kind == .occupied {
            throw FileProblem(
                operation: "create", path: path, cause: "there is a login of this name, which no camera uses",
                remedy: "remove the file, or give the camera another name", kind: .occupied)
        }
    }

    /// Removes it again. Blocking.
    public func remove() { unlink(path) }
}
