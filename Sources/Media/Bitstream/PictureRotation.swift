/// How a picture is to be turned for people, because its camera hangs upside down. Media is never coded anew for it: players are
/// told by a matrix in the track's header, and what Vigil decodes itself is turned then.
public enum PictureRotation: Int, Hashable, Sendable, CaseIterable {
    /// As the camera sends it.
    case none = 0
    /// By 180°.
    case half = 180
}
