/// What a snapshot shows.
public enum SnapshotSubject: Hashable, Sendable {
    /// The key frame of an event with most motion.
    case event(Int64)
    /// The key frame of a camera nearest to a moment; nil: the newest one.
    case camera(String, at: WallTime?)
}

/// How wide a snapshot may be asked for.
public enum SnapshotWidth {
    /// The least and the most, in pixels.
    public static let range = 16...3_840
    /// Where nothing is asked for.
    public static let standard = 1_920
}
