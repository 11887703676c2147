internal import Cloud
internal import Foundation
internal import Hashing
internal import Media
internal import Policies

/// The key of one clip, which follows from that of the site: whoever has it can play this clip and no other.
struct ClipKey: Sendable {
    /// The id of the site's key.
    let id: String
    /// What its media is encrypted with.
    let media: MediaKey
    private let site: SiteKey
    private let clip: String

    /// The key of the clip with this key in the bucket (`ClipPaths.stem`); nil for none.
    init?(_ site: SiteKey, of clip: String) {
        func part(_ use: String) -> [UInt8] { Array(site.derived(use, for: clip).prefix(MediaKey.partBytes)) }
        guard
            let media = MediaKey(
                key: part(Self.mediaUse), initialisationVector: part("vigil cbcs iv"),
                identifier: part("vigil cbcs kid"))
        else { return nil }
        (id, self.media, self.site, self.clip) = (site.id, media, site, clip)
    }

    private static let mediaUse = "vigil cbcs key"

    /// How the description tells of it.
    var encryption: ClipDescription.Encryption { ClipDescription.Encryption(keyID: id, kid: media.uuid) }

    /// The AES-128 key of its media in hexadecimal. Secret: for whoever asks for it, and nobody else.
    var secret: String { Hex.text(site.derived(Self.mediaUse, for: clip).prefix(MediaKey.partBytes)) }

    /// An address that holds that key, for lists that are given to whoever may play the clip. As secret. Its fragment means nothing:
    /// ffmpeg takes no address, not even of this kind, that does not end as those of media do.
    var address: String {
        let bytes = site.derived(Self.mediaUse, for: clip).prefix(MediaKey.partBytes)
        return "data:text/plain;base64,\(Data(bytes).base64EncodedString())#.ts"
    }

    /// A picture of the clip, sealed; `name` is that of its object. The nonce follows from the picture, too: with one of before no
    /// other picture is ever sealed.
    ///
    /// - Throws: `EncryptionError`.
    func seal(_ picture: [UInt8], as name: String) throws -> [UInt8] {
        let nonce = site.derived("vigil picture nonce", for: "\(clip)/\(name) \(SHA256.hex(picture))")
        return try PictureSeal.seal(picture, key: pictureKey(name), nonce: Array(nonce.prefix(PictureSeal.nonceBytes)))
    }

    /// A picture that was sealed as the object of this name.
    ///
    /// - Throws: `EncryptionError`: it was changed, or sealed with another key.
    func open(_ sealed: [UInt8], of name: String) throws -> [UInt8] {
        try PictureSeal.open(sealed, key: pictureKey(name))
    }

    private func pictureKey(_ name: String) -> [UInt8] {
        Array(site.derived("vigil picture", for: "\(clip)/\(name)").prefix(PictureSeal.keyBytes))
    }
}
