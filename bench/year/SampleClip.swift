import Catalog
import Foundation
import Machines
import Media

/// The clip that all others are made of: its files, and what the catalog says of its first so many milliseconds.
final class SampleClip {
    /// One track.
    struct Track {
        let kind: TrackKind
        let codec: String
        let path: String
        let index: FragmentIndex
    }

    /// The tracks, pictures first.
    let tracks: [Track]
    /// How long it is, in milliseconds.
    let durationMs: Int64

    /// Reads the track files of a folder.
    init(folder: String) throws {
        tracks = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().reversed()
            .map { folder + "/" + $0 }.filter { ClipPaths.kind(of: $0) != nil }
            .map { path in
                let scanned = try TrackScanner.scan(path: path)
                return Track(kind: scanned.kind, codec: scanned.codec, path: path, index: scanned.index)
            }
        durationMs = tracks.map(\.index.durationMs).min() ?? 0
        guard durationMs > 60_000 else { throw TooShort(folder: folder) }
    }

    /// What whole clips hold, which most are.
    private var whole: [Bool: [TrackContents]] = [:]

    private struct TooShort: Error {
        let folder: String
    }

    /// What its first `ms` milliseconds hold; without `isIndexed` their index is left out but for its head.
    func scans(ms: Int64, isIndexed: Bool) -> [TrackContents] {
        if ms >= durationMs, let made = whole[isIndexed] { return made }
        let scans = tracks.map { track in
            let index = track.index.first(ms: ms)
            let kept = isIndexed ? index : index.first(ms: 0)
            return TrackContents(
                bytes: Int64(index.entries.last?.endOffset ?? 0), fragments: Int64(index.entries.count),
                durationMs: index.durationMs, index: Data(kept.encoded()), codec: track.codec)
        }
        if ms >= durationMs { whole[isIndexed] = scans }
        return scans
    }
}

extension FragmentIndex {
    /// The index of the fragments that begin in the first `ms` milliseconds, one at least.
    fileprivate func first(ms: Int64) -> FragmentIndex {
        let start = entries.first?.decodeTime ?? 0
        let ticks = UInt64(ms) * UInt64(timescale) / 1_000
        let count = entries.firstIndex { $0.decodeTime - start >= ticks } ?? entries.count
        return FragmentIndex(
            timescale: timescale, primingTicks: primingTicks, headerBytes: headerBytes,
            entries: Array(entries.prefix(max(1, count))))
    }
}
