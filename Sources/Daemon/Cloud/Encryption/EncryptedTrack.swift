internal import Media
internal import ObjectStore

/// A track file as it is sent encrypted: which bytes it has then is known before any is made.
struct EncryptedTrack: Sendable {
    /// Which bytes of the file become which.
    let map: EncryptedTrackMap
    let encryption: TrackEncryption

    /// Looks through a track file, or what has been added to it. Blocking, for as long as the disk takes.
    ///
    /// - Parameters:
    ///   - file: the file, up to the last fragment of `index` at least; `name` is for errors.
    ///   - index: its fragments.
    ///   - before: what was known of it before it grew; nil: nothing.
    ///   - isEnded: asked before each fragment whether somebody has ended it.
    /// - Throws: `UploadSource.Unreadable` for what cannot be encrypted, what the disk says, and `CancellationError`.
    init(
        _ file: FileRange, _ name: String, _ index: FragmentIndex, key: MediaKey,
        after before: EncryptedTrackMap? = nil,
        isEnded: () -> Bool = { false }
    ) throws {
        do {
            encryption = try TrackEncryption(header: file.whole(0..<index.headerBytes, name), key: key)
        } catch let error as EncryptionError { throw UploadSource.Unreadable(description: "\(name): \(error)") }
        var map = EncryptedTrackMap(of: index, encryptedHeaderBytes: UInt64(encryption.header.count))
        if let before, before.plain.entries.elementsEqual(index.entries.prefix(before.plain.entries.count)) {
            map = before
        }
        for entry in index.entries.dropFirst(map.plain.entries.count) {
            if isEnded() { throw CancellationError() }
            let bytes: UInt64
            do {
                bytes = try encryption.encryptedBytes(ofFragment: file.whole(entry.offset..<entry.endOffset, name))
            } catch let error as EncryptionError { throw UploadSource.Unreadable(description: "\(name): \(error)") }
            guard map.append(entry, encryptedBytes: bytes) else {
                throw UploadSource.Unreadable(
                    description:
                        "\(name) has bytes between its fragments and cannot be encrypted; `vigil fsck` looks into it")
            }
        }
        self.map = map
    }

    /// Some bytes of the encrypted file, made from the file while they are read.
    func content(_ range: Range<UInt64>, of file: FileRange) -> EncryptedBytes { EncryptedBytes(self, range, of: file) }
}

extension FileRange {
    /// The bytes of a range, all of them. Blocking.
    func whole(_ range: Range<UInt64>, _ name: String) throws -> [UInt8] {
        let bytes = try read(at: range.lowerBound, count: range.count)
        guard bytes.count == range.count else {
            throw UploadSource.Unreadable(description: "\(name) is shorter than it was")
        }
        return bytes
    }
}
