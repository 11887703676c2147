internal import Media

/// A track file whose encrypted bytes lie elsewhere, as it was before: nobody who reads it knows. It holds the fragment that was
/// read last. What comes from outside is bounded, and an error where it is not what was sent.
final class DecryptedTrack: TrackBytes {
    /// The largest fragment, and the largest header, that are read, in bytes: one of two seconds has some megabytes.
    static let partBytesMax = 128 << 20

    let path: String
    private let encrypted: any TrackBytes
    private let map: EncryptedTrackMap
    private let decryption: TrackDecryption
    private var last: (bytes: Range<UInt64>, content: [UInt8])?

    /// Reads the header. Blocking.
    init(_ path: String, _ encrypted: any TrackBytes, _ map: EncryptedTrackMap, key: MediaKey) throws(TrackFileError) {
        (self.path, self.encrypted, self.map) = (path, encrypted, map)
        let header = try Self.bytes(0..<map.encrypted.headerBytes, of: encrypted)
        do { decryption = try TrackDecryption(encryptedHeader: header, key: key) } catch {
            throw .elsewhere(path, "\(error)")
        }
    }

    func size() -> UInt64 { map.plainBytes }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TrackFileError) -> Int {
        guard offset < map.plainBytes else { return 0 }
        let wanted = Int(clamping: min(UInt64(buffer.count), map.plainBytes - offset))
        var filled = 0
        while filled < wanted {
            let place = offset + UInt64(filled)
            let (bytes, content) = try part(at: place)
            let from = Int(clamping: place - bytes.lowerBound)
            let count = min(content.count - from, wanted - filled)
            content.withUnsafeBytes { content in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: content[from..<from + count]))
            }
            filled += count
        }
        return filled
    }

    /// The part that holds a byte of the plain file.
    private func part(at place: UInt64) throws(TrackFileError) -> (bytes: Range<UInt64>, content: [UInt8]) {
        if let last, last.bytes.contains(place) { return last }
        guard let part = map.parts(ofPlain: place..<place + 1).first, part.plain.contains(place) else {
            throw .elsewhere(path, "no fragment of it has byte \(place)")
        }
        var content = decryption.header
        if part.fragment != nil {
            let bytes = try Self.bytes(part.encrypted, of: encrypted)
            do { content = try decryption.decrypt(fragment: bytes) } catch { throw .elsewhere(path, "\(error)") }
        }
        guard content.count == part.plain.count else {
            throw .elsewhere(path, "a fragment of it has another size than its description says")
        }
        last = (part.plain, content)
        return (part.plain, content)
    }

    private static func bytes(
        _ range: Range<UInt64>, of encrypted: any TrackBytes
    ) throws(TrackFileError) -> [UInt8] {
        guard range.count <= partBytesMax else {
            throw .elsewhere(
                encrypted.path, "a part of it has \(range.count) bytes, and at most \(partBytesMax) are read")
        }
        var bytes = [UInt8](repeating: 0, count: range.count)
        var failure: TrackFileError?
        let count = bytes.withUnsafeMutableBytes { buffer -> Int in
            do throws(TrackFileError) { return try encrypted.read(into: buffer, at: range.lowerBound) } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        guard count == range.count else {
            throw .elsewhere(encrypted.path, "the store has fewer bytes of it than it had")
        }
        return bytes
    }
}
