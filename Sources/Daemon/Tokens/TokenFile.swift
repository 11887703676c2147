internal import CSystemd
internal import Foundation
internal import Glibc
internal import Policies
internal import Server

/// The file in which tokens and logins are kept, `tokens.json` in the storage root. Nobody but the daemon may read or write it
/// (mode 0600), and it holds no secret.
struct TokenFile: Sendable {
    /// Why the file is not taken.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// The most bytes of it: far above what `LoginBounds` lets it hold.
    private static let bytesMax = 16 << 20

    let path: String

    /// The file of a storage root.
    init(root: String) { path = root + "/tokens.json" }

    /// What it holds; no token where there is no such file. Blocking. Throws `Problem` where it is not to be trusted, or holds
    /// something else.
    func read() throws -> AccountsState {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            let code = errno
            guard code == ENOENT else { throw Problem(description: String(cString: strerror(code))) }
            return AccountsState()
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Problem(description: "it is not a regular file") }
        guard status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & 0o022 == 0 else {
            throw Problem(description: "others than the daemon may write it")
        }
        let bytes: [UInt8]
        do { bytes = try DiskFiles().read(path, limit: Self.bytesMax) } catch {
            throw Problem(description: "\(error)")
        }
        guard bytes.count <= Self.bytesMax else {
            throw Problem(description: "it is larger than any that Vigil writes")
        }
        do { return try JSONDecoder().decode(AccountsState.self, from: Data(bytes)) } catch {
            throw Problem(description: "it does not hold what Vigil wrote")
        }
    }

    /// Puts what it is to hold in its place, durably. Blocking.
    func write(_ state: AccountsState) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try AtomicFile.put(path, bytes: Array(try encoder.encode(state)))
    }
}
