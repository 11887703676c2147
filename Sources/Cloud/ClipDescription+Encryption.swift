internal import Machines
public import Media

extension ClipDescription {
    /// How the media of a clip is encrypted. Places, sizes and digests of objects are then those of what is in the bucket, those of
    /// tracks those of the track files.
    public struct Encryption: Hashable, Sendable, Codable {
        /// The only scheme that is known, of ISO/IEC 23001-7.
        private static let cbcs = "cbcs"

        /// The scheme.
        public var scheme: String
        /// The id of the site's key from which that of the clip follows, 16 hexadecimal digits.
        public var keyID: String
        /// The identifier of the clip's key as its media names it: a UUID in small letters.
        public var kid: String

        private enum CodingKeys: String, CodingKey {
            case scheme, kid
            case keyID = "keyId"
        }

        /// An encryption by the scheme `cbcs`.
        public init(keyID: String, kid: String) { (scheme, self.keyID, self.kid) = (Self.cbcs, keyID, kid) }

        func check() throws(Defect) {
            func isHex(_ text: some StringProtocol, _ count: Int) -> Bool {
                text.utf8.count == count
                    && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
            }
            guard scheme == Self.cbcs else {
                throw ClipDescription.json.defect("encryption.scheme", "is not known here")
            }
            guard isHex(keyID, 16) else { throw ClipDescription.json.defect("encryption.keyId", "is no id of a key") }
            let parts = kid.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 5, zip(parts, [8, 4, 4, 4, 12]).allSatisfy({ isHex($0, $1) }) else {
                throw ClipDescription.json.defect("encryption.kid", "is no UUID in small letters")
            }
        }
    }
}

extension ClipDescription.Track {
    /// Which bytes of its objects hold which of the track file; nil where it is not encrypted, or its indexes are not of one file.
    public var encryptedMap: EncryptedTrackMap? {
        guard let encryptedIndex, let plain = try? FragmentIndex(decoding: index),
            let encrypted = try? FragmentIndex(decoding: encryptedIndex)
        else { return nil }
        return EncryptedTrackMap(plain: plain, encrypted: encrypted)
    }

    /// Checks what an encrypted track has beside a plain one; gives the size of its objects together.
    func checkEncrypted(_ key: String) throws(Defect) -> Int64 {
        guard encryptedIndex != nil else {
            throw ClipDescription.json.defect("\(key).encryptedIndex", "is missing, and the clip is encrypted")
        }
        guard let map = encryptedMap else {
            throw ClipDescription.json.defect("\(key).encryptedIndex", "is not of the file that index tells of")
        }
        // Of an open clip there may be nothing yet.
        if objects.isEmpty, bytes == 0 { return 0 }
        guard map.plainBytes == UInt64(clamping: bytes) else {
            throw ClipDescription.json.defect("\(key).bytes", "is \(bytes), and its index has \(map.plainBytes)")
        }
        guard map.encryptedBytes <= UInt64(ClipDescription.trackBytesMax) else {
            throw ClipDescription.json.defect(
                "\(key).encryptedIndex", "has more than \(ClipDescription.trackBytesMax) bytes")
        }
        return Int64(clamping: map.encryptedBytes)
    }
}
