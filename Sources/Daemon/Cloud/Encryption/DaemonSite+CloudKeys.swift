internal import Catalog
internal import Cloud
internal import Media
internal import Server

extension DaemonSite {
    func clipKey(clip: Int64) async throws -> CloudClipKey {
        let what = "the key of clip \(clip) in the cloud"
        let (remote, description) = try await remote(clip, what)
        guard let key = try key(for: description, of: remote.key, what) else {
            throw SiteError(
                .conflict, what: what, why: "it was sent as it is", remedy: "nothing to do: it plays without a key")
        }
        return CloudClipKey(clip: clip, scheme: key.encryption.scheme, kid: key.encryption.kid, key: key.secret)
    }

    /// A picture that was sealed as the object of this name of the clip with this key in the bucket.
    func opened(_ sealed: [UInt8], of name: String, _ clip: String, _ what: String) async throws -> [UInt8] {
        let body = try await Blocking.run { [catalog] in
            try catalog.remoteClip(key: clip).flatMap { try catalog.remoteOnly($0.id)?.1 }
        }
        guard let body, let key = try key(for: ClipDescription(parsing: body), of: clip, what) else {
            throw SiteError(
                .notFound, what: what, why: "its clip is not in the cloud any more",
                remedy: "`vigil cloud slices` lists what is")
        }
        do { return try key.open(sealed, of: name) } catch let error as EncryptionError {
            throw SiteError(.conflict, what: what, why: "\(error)", remedy: error.hint)
        }
    }

    private func key(for description: ClipDescription, of clip: String, _ what: String) throws -> ClipKey? {
        do { return try lookup.remote.reader.keys.key(for: description, of: clip) } catch {
            throw SiteError(
                .conflict, what: what, why: error.description,
                remedy: "`vigil cloud status` says which key is configured")
        }
    }
}
