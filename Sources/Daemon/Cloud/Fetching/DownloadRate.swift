internal import Synchronization

/// How fast media came from the store lately: the bytes of the last reads over the time that each of them took. Reads at the same
/// time share the line, so this is what one reader alone gets at least.
final class DownloadRate: Sendable {
    /// From so much time of reading on, in seconds, all that came so far counts half.
    private static let halfSeconds = 60.0

    private let recent = Mutex<(bytes: Double, seconds: Double)>((0, 0))

    /// Something came.
    func add(_ bytes: Int, in time: Duration) {
        recent.withLock { recent in
            recent = (recent.bytes + Double(bytes), recent.seconds + max(time / .seconds(1), 0.001))
            if recent.seconds > Self.halfSeconds { recent = (recent.bytes / 2, recent.seconds / 2) }
        }
    }

    /// Bytes a second, at least 1; nil where nothing came yet.
    var bytesPerSecond: Int64? {
        let recent = recent.withLock { $0 }
        return recent.bytes > 0 ? Int64(min(max(recent.bytes / recent.seconds, 1), 1e15)) : nil
    }
}
