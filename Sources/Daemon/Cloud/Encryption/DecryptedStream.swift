internal import Media

/// Turns the encrypted bytes of a track file, as they come one after the other, into those of the file. It holds what has come of
/// the part that is not whole yet.
struct DecryptedStream {
    private let key: MediaKey
    private var parts: ArraySlice<EncryptedTrackMap.Part>
    private var decryption: TrackDecryption?
    private var held: [UInt8] = []

    /// - Throws: `DaemonFailure` for parts that are larger than is read.
    init(_ map: EncryptedTrackMap, key: MediaKey) throws(DaemonFailure) {
        self.key = key
        parts = map.parts(ofEncrypted: 0..<map.encryptedBytes)[...]
        guard parts.allSatisfy({ $0.encrypted.count <= DecryptedTrack.partBytesMax }) else {
            throw DaemonFailure("a fragment of it has more than \(DecryptedTrack.partBytesMax) bytes")
        }
    }

    /// The bytes of the file that are known now.
    ///
    /// - Throws: `EncryptionError`, or `DaemonFailure` for what has another size than it must have.
    mutating func take(_ bytes: [UInt8]) throws -> [UInt8] {
        held += bytes
        var (made, used) = ([UInt8](), 0)
        while let part = parts.first, held.count - used >= part.encrypted.count {
            let content = Array(held[used..<used + part.encrypted.count])
            used += part.encrypted.count
            parts.removeFirst()
            let plain: [UInt8]
            if let decryption {
                plain = try decryption.decrypt(fragment: content)
            } else {
                let new = try TrackDecryption(encryptedHeader: content, key: key)
                (plain, decryption) = (new.header, new)
            }
            guard plain.count == part.plain.count else {
                throw DaemonFailure("a fragment of it has another size than its description says")
            }
            made += plain
        }
        held.removeFirst(used)
        return made
    }
}
