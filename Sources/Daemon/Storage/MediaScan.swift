internal import struct Catalog.TrackScan
internal import enum Media.TrackScanner

/// Media's scan of a track file in the catalog's words. Apart, because both modules call their result a scanned track.
enum MediaScan {
    static func scan(path: String, repair: Bool) throws -> Catalog.TrackScan {
        // The catalog knows such a file as one without a whole fragment.
        if try TrackScanner.isTornHeader(path: path) {
            return TrackScanning.row(
                bytes: 0, fragments: 0, durationMs: 0, index: [], codec: "unknown", damagedFrames: 0)
        }
        let scanned = try TrackScanner.scan(path: path, repair: repair)
        return TrackScanning.row(
            bytes: scanned.bytes, fragments: scanned.fragments, durationMs: scanned.durationMs,
            index: scanned.index.encoded(), codec: scanned.codec,
            damagedFrames: scanned.index.damagedCount)
    }
}
