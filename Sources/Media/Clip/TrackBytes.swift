/// The bytes of a track file, for those who read it: a file of this machine, or one that lies elsewhere. Used from one thread at
/// a time, and blocking: not for the cooperative pool.
public protocol TrackBytes: AnyObject {
    /// What names the file in errors.
    var path: String { get }

    /// How many bytes it has.
    func size() throws(TrackFileError) -> UInt64

    /// Reads into `buffer` from `offset` on; gives how many bytes, fewer only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TrackFileError) -> Int
}

extension TrackBytes {
    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: UInt64) throws(TrackFileError) -> [UInt8] {
        var failure: TrackFileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(TrackFileError) {
                filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// Where the track files of a clip lie.
public protocol TrackPlace: Sendable {
    /// Opens the file at `path`, components separated by `/`. Blocking.
    func open(_ path: String) throws(TrackFileError) -> any TrackBytes
}

/// A folder of this machine. Nothing outside of it is opened, whatever a path says.
struct TrackFolder: TrackPlace {
    let root: String

    func open(_ path: String) throws(TrackFileError) -> any TrackBytes { try RawFile(below: root, path) }
}
