internal import Catalog
internal import Synchronization

/// How fast media came from the store lately: the bytes of the last reads over the time that each of them took. Reads at the same
/// time share the line, so this is what one reader alone gets at least.
final class DownloadRate: Sendable {
    /// What is older than so much time of reading counts half, in milliseconds.
    private static let halfMs: Int64 = 30_000

    private let recent = Mutex<(bytes: Int64, ms: Int64)>((0, 0))

    /// Something came.
    func add(_ bytes: Int, in time: Duration) {
        let ms = max(
            1, Int64(clamping: time.components.seconds) * 1_000 + time.components.attoseconds / 1_000_000_000_000_000)
        recent.withLock { recent in
            recent = (recent.bytes.addingClamped(Int64(bytes)), recent.ms.addingClamped(ms))
            if recent.ms > 2 * Self.halfMs { recent = (recent.bytes / 2, recent.ms / 2) }
        }
    }

    /// Bytes a second, at least 1; nil where nothing came yet.
    var bytesPerSecond: Int64? {
        let recent = recent.withLock { $0 }
        guard recent.bytes > 0, recent.ms > 0 else { return nil }
        return max(1, Int64(Double(recent.bytes) * 1_000 / Double(recent.ms)))
    }
}
