import Foundation
internal import Hashing

/// The file in which the key of a site is kept (`cloud.encryption.keyFile`). Text, of mode 0600, read again at each reload.
public struct KeyFile: Hashable, Sendable {
    private static let bytesMax = 4_096

    /// What its first lines tell whoever finds it.
    private static let head = """
        # The key to this site's clips in the cloud. Whoever loses it loses the clips; whoever has it can watch them.
        # Keep a copy elsewhere (vigil cloud key confirm), and give it to nobody.

        """

    /// Where it is.
    public let path: String
    /// The key.
    public let key: SiteKey
    /// The day on which its backup was confirmed, `yyyy-mm-dd`; nil: not yet.
    public let backup: String?

    private init(path: String, key: SiteKey, backup: String?) {
        (self.path, self.key, self.backup) = (path, key, backup)
    }

    /// Reads a key file. Blocking.
    ///
    /// - Throws: why it cannot be used, without the key. One that others may read is refused.
    public init(reading path: String, files: any FileReading = DiskFiles()) throws(KeyFileProblem) {
        let bytes: [UInt8]
        do { bytes = try files.readSecret(path, limit: Self.bytesMax) } catch {
            throw KeyFileProblem(path: path, cause: error.cause, remedy: error.remedy)
        }
        func damaged(_ cause: String) -> KeyFileProblem {
            KeyFileProblem(
                path: path, cause: cause,
                remedy: "put the copy in its place, or make it anew from the recovery code (vigil cloud key restore)")
        }
        guard bytes.count <= Self.bytesMax, let text = String(validating: bytes, as: UTF8.self) else {
            throw damaged("it is no key file")
        }
        var values: [Substring: Substring] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 2, ["key", "id", "backup"].contains(words[0]), values[words[0]] == nil else {
                throw damaged("it has a line that no key file has")
            }
            values[words[0]] = words[1]
        }
        guard let key = values["key"].flatMap({ Self.key($0) }) else {
            throw damaged("it has no key of 64 hexadecimal digits")
        }
        guard let id = values["id"], id == key.id else { throw damaged("its id is not that of its key") }
        self.init(path: path, key: key, backup: values["backup"].map(String.init))
    }

    /// Makes a key file; what stands there stays. Blocking.
    ///
    /// - Parameter backup: the day on which a backup was seen, `yyyy-mm-dd`; nil: none yet.
    /// - Throws: why there is none.
    public static func create(_ path: String, key: SiteKey, backup: String? = nil) throws(KeyFileProblem) -> KeyFile {
        let made = KeyFile(path: path, key: key, backup: backup)
        do { try AtomicFile.create(path, text: made.text, mode: 0o600) } catch {
            if error.kind == .occupied {
                throw KeyFileProblem(
                    path: path, cause: "something is there already",
                    remedy: "give the new key another name: what an old one has encrypted, no other opens")
            }
            throw KeyFileProblem(path: path, cause: error.cause, remedy: error.remedy)
        }
        return made
    }

    /// Writes down that the backup was seen on a day, `yyyy-mm-dd`. Owner and mode stay. Blocking.
    ///
    /// - Throws: why it is not written.
    public func confirm(on day: String) throws(KeyFileProblem) -> KeyFile {
        let confirmed = KeyFile(path: path, key: key, backup: day)
        do {
            let old = try DiskFiles().readSecret(path, limit: Self.bytesMax)
            try AtomicFile.replace(path, revision: SHA256.revision(old), text: confirmed.text) { _ in }
        } catch { throw KeyFileProblem(path: path, cause: error.cause, remedy: error.remedy) }
        return confirmed
    }

    private var text: String {
        Self.head + "key \(Hex.text(key.bytes))\nid \(key.id)\n" + (backup.map { "backup \($0)\n" } ?? "")
    }

    private static func key(_ digits: Substring) -> SiteKey? {
        guard let bytes = Hex.bytes(digits), bytes.count == SiteKey.bytesCount else { return nil }
        return SiteKey(bytes: bytes)
    }
}

/// Why a key file cannot be used. Holds no secret.
public struct KeyFileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it is.
    public let path: String
    /// What is wrong.
    public let cause: String
    /// What the operator can do.
    public let remedy: String

    /// One sentence.
    public var description: String { "the key file \(path): \(cause); \(remedy)" }
}
