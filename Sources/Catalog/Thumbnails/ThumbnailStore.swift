public import Foundation
import Machines

/// Keeps the strips of small pictures that were made of recordings, one file for each camera and hour below `thumbnails/`.
///
/// They can all be made again: none is synced, the oldest go where they take more than `bytesMax`, and with any clip goes the
/// strip of each hour that it reaches into (`Deleter`). All functions block.
public struct ThumbnailStore: Sendable {
    /// The most that they take together, in bytes.
    public static let bytesMax: Int64 = 512 << 20
    /// The largest one that is read, in bytes.
    static let stripBytesMax = 32 << 20
    /// The folder of all of them.
    static let folder = "thumbnails"

    private let files: DerivedFiles
    private let bytesMax: Int64

    /// The strips below the root of a catalog.
    public init(catalog: Catalog, bytesMax: Int64 = ThumbnailStore.bytesMax) {
        files = DerivedFiles(catalog: catalog, folder: Self.folder)
        self.bytesMax = bytesMax
    }

    /// The strip of a camera's hour, as it was kept; nil where there is none. `hour`: hours since 1970.
    public func read(camera: String, hour: Int64) -> Data? {
        Self.path(camera, hour).flatMap { files.read($0, most: Self.stripBytesMax) }
    }

    /// Keeps a strip. What stood there is replaced as a whole.
    ///
    /// - Throws: `CatalogError` where it cannot be written; nothing is left then.
    public func keep(_ strip: Data, camera: String, hour: Int64) throws(CatalogError) {
        guard let path = Self.path(camera, hour), strip.count <= Self.stripBytesMax else { return }
        try files.keep(strip, path)
        bound(keeping: path)
    }

    /// Removes the strip of an hour.
    public func drop(camera: String, hour: Int64) {
        if let path = Self.path(camera, hour) { files.drop(path) }
    }

    /// Removes the strips of the hours that a time of a camera reaches into. `toMs` is its end, if it has one.
    func forget(camera: String, fromMs: Int64, toMs: Int64) {
        let first = Self.hour(fromMs)
        // A clip whose clock was set on the way may seem to be of any length.
        for hour in first...min(max(first, Self.hour(toMs)), first + Self.clipHoursMax) {
            drop(camera: camera, hour: hour)
        }
    }

    /// Removes the oldest until the rest takes no more than it may.
    private func bound(keeping path: String) {
        let strips = files.list()
        var bytes = strips.reduce(Int64(0)) { $0.addingClamped($1.bytes) }
        for strip in strips.sorted(by: { $0.changedMs < $1.changedMs }) where bytes > bytesMax && strip.path != path {
            if files.drop(strip.path) { bytes -= strip.bytes }
        }
    }

    /// The hour of a moment, in hours since 1970.
    public static func hour(_ ms: Int64) -> Int64 {
        ms >= 0 ? ms / 3_600_000 : (ms + 1) / 3_600_000 - 1
    }

    /// The most hours that the strips of one clip are looked for.
    private static let clipHoursMax: Int64 = 24 * 366

    private static func path(_ camera: String, _ hour: Int64) -> String? {
        let (ms, overflow) = hour.multipliedReportingOverflow(by: 3_600_000)
        // A name that clips can have.
        guard !overflow, ms >= 0, let paths = ClipPaths(camera: camera, startWallMs: ms, token: "0") else { return nil }
        let name = CivilTime(epochMs: paths.startWallMs).compact.prefix(11)
        return "\(camera)/\(name)Z.strip"
    }
}
