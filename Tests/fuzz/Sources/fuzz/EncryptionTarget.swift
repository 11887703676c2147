@testable import Media

/// A header and a fragment from anywhere: what can be encrypted is turned back exactly, and what cannot be read is refused.
///
/// An input is the header and the fragment, each after its length in two bytes, and then changes to what came out encrypted:
/// a place in two bytes, and the byte there.
enum EncryptionTarget {
    private static let key = MediaKey(
        key: [UInt8](0..<16), initialisationVector: [UInt8](16..<32), identifier: [UInt8](32..<48))

    static func run(_ bytes: UnsafeRawBufferPointer) {
        guard let key else { return hold(false, "a key has three parts of 16 bytes") }
        var feed = Feed(bytes)
        let header = part(&feed)
        let fragment = part(&feed)
        foreign(header, fragment, key)
        guard let encryption = try? TrackEncryption(header: header, key: key) else { return }
        guard let decryption = try? TrackDecryption(encryptedHeader: encryption.header, key: key) else {
            return hold(false, "an encrypted header is read")
        }
        hold(decryption.header == header, "the plain header comes back")
        guard var encrypted = try? encryption.encrypt(fragment: fragment) else {
            return hold((try? encryption.encryptedBytes(ofFragment: fragment)) == nil, "what is refused has no size")
        }
        let size = try? encryption.encryptedBytes(ofFragment: fragment)
        hold(size == UInt64(encrypted.count), "the size is known before")
        hold((try? decryption.decrypt(fragment: encrypted)) == fragment, "the plain fragment comes back")
        while !feed.isAtEnd {
            let (place, byte) = (Int(feed.number(UInt16.self)), feed.byte())
            if place < encrypted.count { encrypted[place] = byte }
        }
        guard let changed = try? decryption.decrypt(fragment: encrypted) else { return }
        hold(changed.count <= encrypted.count, "decrypting adds nothing")
    }

    /// What a bucket may hold in the place of an encrypted header and fragment.
    private static func foreign(_ header: [UInt8], _ fragment: [UInt8], _ key: MediaKey) {
        if let decryption = try? TrackDecryption(encryptedHeader: header, key: key) {
            _ = try? decryption.decrypt(fragment: fragment)
        }
        if let decryption = try? TrackDecryption(header: header, key: key) {
            _ = try? decryption.decrypt(fragment: fragment)
        }
        _ = try? PictureSeal.open(fragment, key: header)
        _ = try? PictureSeal.open(fragment, key: [UInt8](0..<16))
    }

    private static func part(_ feed: inout Feed) -> [UInt8] { [UInt8](feed.take(Int(feed.number(UInt16.self)))) }
}
