internal import Catalog
internal import Foundation

/// Lets the catalog look into track files, which only Media understands.
enum TrackScanning {
    /// Scans a track file; `repair` cuts off a torn last fragment. Blocking.
    static let scanner: TrackScanner = { path, repair in try MediaScan.scan(path: path, repair: repair) }

    /// What a row says of a track file.
    static func row(
        bytes: UInt64, fragments: Int, durationMs: Int64, index: [UInt8], codec: String, damagedFrames: Int64
    ) -> TrackScan {
        TrackScan(
            bytes: Int64(clamping: bytes), fragments: Int64(fragments), durationMs: durationMs, index: Data(index),
            codec: codec, damagedFrames: damagedFrames)
    }
}
