/// The key of an encrypted clip in the cloud, as `GET /v1/clips/{clip}/cloud/key` gives it. Whoever has it can play this clip from the
/// store, and no other.
public struct CloudClipKey: Hashable, Sendable, Codable {
    /// The clip, as it was asked for.
    public var clip: Int64
    /// The scheme of ISO/IEC 23001-7: `cbcs`.
    public var scheme: String
    /// The identifier of the key, a UUID; it stands in the media.
    public var kid: String
    /// The AES-128 key, 32 hexadecimal digits. Secret.
    public var key: String

    /// The key of a clip.
    public init(clip: Int64, scheme: String, kid: String, key: String) {
        (self.clip, self.scheme, self.kid, self.key) = (clip, scheme, kid, key)
    }
}
