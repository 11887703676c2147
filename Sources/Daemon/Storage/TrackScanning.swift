internal import Catalog
internal import Foundation
internal import Media

/// Lets the catalog look into track files, which only Media understands.
enum TrackScanning {
    /// Scans a track file; `repair` cuts off a torn last fragment. Blocking.
    static let scanner: ContentsScanner = { path, repair in
        // The catalog knows such a file as one without a whole fragment.
        if try TrackScanner.isTornHeader(path: path) {
            return row(bytes: 0, fragments: 0, durationMs: 0, index: [], codec: "unknown", damagedFrames: 0)
        }
        let scanned = try TrackScanner.scan(path: path, repair: repair)
        return row(
            bytes: scanned.bytes, fragments: scanned.fragments, durationMs: scanned.durationMs,
            index: scanned.index.encoded(), codec: scanned.codec, damagedFrames: scanned.index.damagedCount)
    }

    /// What a row says of a track file.
    static func row(
        bytes: UInt64, fragments: Int, durationMs: Int64, index: [UInt8], codec: String, damagedFrames: Int64
    ) -> TrackContents {
        TrackContents(
            bytes: Int64(clamping: bytes), fragments: Int64(fragments), durationMs: durationMs, index: Data(index),
            codec: codec, damagedFrames: damagedFrames)
    }
}
