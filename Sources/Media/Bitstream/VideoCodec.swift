/// The video codecs that Vigil stores.
public enum VideoCodec: String, Hashable, Sendable, CaseIterable {
    case h264
    case h265
}
