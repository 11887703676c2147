internal import Media
internal import ObjectStore
internal import Synchronization

/// A range of a track file as it is encrypted, made fragment by fragment while it is read: the same bytes each time. It holds the
/// fragment that was made last, and no file is written.
final class EncryptedBytes: ByteSource {
    let bytes: UInt64
    private let track: EncryptedTrack
    private let begin: UInt64
    private let file: FileRange
    private let last = Mutex<(bytes: Range<UInt64>, content: [UInt8])?>(nil)

    init(_ track: EncryptedTrack, _ range: Range<UInt64>, of file: FileRange) {
        (self.track, begin, bytes, self.file) = (track, range.lowerBound, UInt64(range.count), file)
    }

    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        guard offset < bytes, count > 0 else { return [] }
        let wanted = Int(clamping: min(UInt64(count), bytes - offset))
        return try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset < bytes else { return 0 }
        let wanted = Int(clamping: min(UInt64(buffer.count), bytes - offset))
        var filled = 0
        while filled < wanted {
            let place = begin + offset + UInt64(filled)
            guard let part = try part(at: place) else { break }
            let from = Int(clamping: place - part.bytes.lowerBound)
            let count = min(part.content.count - from, wanted - filled)
            guard count > 0 else { break }
            part.content.withUnsafeBytes { content in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: content[from..<from + count]))
            }
            filled += count
        }
        return filled
    }

    /// The part that holds a byte.
    private func part(at place: UInt64) throws -> (bytes: Range<UInt64>, content: [UInt8])? {
        if let kept = last.withLock({ $0 }), kept.bytes.contains(place) { return kept }
        guard let part = track.map.parts(ofEncrypted: place..<place + 1).first else { return nil }
        let content =
            part.fragment == nil
            ? track.encryption.header : try track.encryption.encrypt(fragment: file.whole(part.plain, "the file"))
        guard content.count == part.encrypted.count else {
            throw UploadSource.Unreadable(description: "the file has changed since it was looked through")
        }
        let made = (part.encrypted, content)
        last.withLock { $0 = made }
        return made
    }
}
