internal import Cloud
internal import Media
internal import Policies
internal import Synchronization

/// The keys of the site that the configuration in force names, as they were read with it. They leave this type as those of single
/// clips alone.
final class ClipKeys: Sendable {
    private struct State {
        /// The file of the key for new jobs, or why it cannot be used; nil where clips are not encrypted.
        var current: Result<KeyFile, KeyFileProblem>?
        /// All keys that could be read, by their ids.
        var keys: [String: SiteKey] = [:]
    }

    private let state = Mutex(State())

    /// Another configuration is in force, or a key file was changed. Blocking.
    func change(_ loaded: LoadedConfiguration) {
        var new = State()
        if let encryption = loaded.configuration.cloud?.encryption {
            for path in encryption.oldKeyFiles {
                if let file = try? KeyFile(reading: path) { new.keys[file.key.id] = file.key }
            }
            let current = Self.read(encryption.keyFile)
            if case .success(let file) = current { new.keys[file.key.id] = file.key }
            new.current = current
        }
        state.withLock { [new] in $0 = new }
    }

    private static func read(_ path: String) -> Result<KeyFile, KeyFileProblem> {
        do { return .success(try KeyFile(reading: path)) } catch { return .failure(error) }
    }

    /// The file of the key for new jobs; nil where clips are not encrypted, or it cannot be read.
    var current: KeyFile? { state.withLock { try? $0.current?.get() } }

    /// Whether clips are encrypted.
    var isEncrypting: Bool { state.withLock { $0.current != nil } }

    /// The id of the key for a job that is made now: nil where clips are sent as they are, empty where the key cannot be read yet.
    var idForNew: String? { state.withLock { $0.current.map { (try? $0.get())?.key.id ?? "" } } }

    /// The ids of the keys with which clips can be encrypted; an empty one stands for that of new jobs.
    var usable: Set<String> {
        state.withLock { state in
            Set(state.keys.keys).union((try? state.current?.get()) == nil ? [] : [""])
        }
    }

    /// Why nothing may be sent, in words; nil where nothing is in the way.
    var problem: String? {
        switch state.withLock({ $0.current }) {
        case nil: nil
        case .failure(let problem)?: "clips are to be encrypted, and \(problem)"
        case .success(let file)? where file.backup == nil:
            "the backup of key \(file.key.id) is not confirmed, and whoever loses the key loses the clips; "
                + "keep a copy of \(file.path) or the recovery code elsewhere, and say so: vigil cloud key confirm \(file.path)"
        case .success?: nil
        }
    }

    /// The key of a clip (`ClipPaths.stem`) that follows from the site's key of an id.
    ///
    /// - Throws: that no such key is configured, with the ids of those that are.
    func key(_ id: String, of clip: String) throws(DaemonFailure) -> ClipKey {
        if id.isEmpty { throw DaemonFailure("the clip is to be encrypted, and the key for it cannot be read yet") }
        let (key, known) = state.withLock { ($0.keys[id], $0.keys.keys.sorted()) }
        guard let key, let found = ClipKey(key, of: clip) else {
            let have = known.isEmpty ? "none is configured" : "configured is \(known.joined(separator: ", "))"
            throw DaemonFailure(
                "the clip is encrypted with key \(id), and \(have); name its file in cloud.encryption.oldKeyFiles of "
                    + "vigil.yaml, or make it anew from its recovery code (vigil cloud key restore)")
        }
        return found
    }

    /// Whether a clip that is encrypted so can be opened.
    func opens(_ encryption: ClipDescription.Encryption) -> Bool {
        state.withLock { $0.keys[encryption.keyID] != nil }
    }

    /// The key of a clip as its description says; nil where it is not encrypted.
    ///
    /// - Throws: that it cannot be opened, and with which key it could.
    func key(for description: ClipDescription, of clip: String) throws(DaemonFailure) -> ClipKey? {
        guard let encryption = description.encryption else { return nil }
        let found = try key(encryption.keyID, of: clip)
        guard found.media.uuid == encryption.kid else {
            throw DaemonFailure(
                "the clip is encrypted with the key \(encryption.kid), and key \(encryption.keyID) of this site gives "
                    + "\(found.media.uuid): it was moved in the bucket, or its description changed")
        }
        return found
    }
}
