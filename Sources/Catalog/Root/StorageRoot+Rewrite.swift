import Foundation

extension StorageRoot {
    /// What is read and written at once, in bytes.
    private static let rewriteBytes = 1 << 20

    /// Writes a file's contents in their place again. After a failed sync the kernel takes pages for written that are not, and
    /// a later sync answers that all is well, to another process too: what is written again is not durable until the next sync,
    /// and is after it. Holes stay holes: written out, they would fill the disk. Throws `CatalogError` where there is no file, or
    /// what is there is none.
    func rewrite(_ relative: String) throws(CatalogError) {
        guard let file = try openInPlace(relative, O_RDWR, isFolder: false) else {
            throw .system(.file, absolute(relative), errno: ENOENT)
        }
        defer { Glibc.close(file) }
        var buffer = [UInt8](repeating: 0, count: Self.rewriteBytes)
        var offset = 0
        while let stretch = try data(file, from: offset, relative) {
            offset = stretch.lowerBound
            let count = pread(file, &buffer, min(buffer.count, stretch.count), offset)
            if count == 0 { return }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { bytes in
                    pwrite(file, bytes.baseAddress?.advanced(by: done), count - done, offset + done)
                }
                guard written > 0 else { break }
                done += written
            }
            guard count > 0, done == count else { throw .system(.file, absolute(relative), errno: errno) }
            offset += count
        }
    }

    /// The first stretch from `offset` on that is no hole; nil where there is none.
    private func data(_ file: Int32, from offset: Int, _ relative: String) throws(CatalogError) -> Range<Int>? {
        // lseek(2), SEEK_DATA and SEEK_HOLE.
        let begin = lseek(file, offset, 3)
        guard begin >= 0 else {
            if errno == ENXIO { return nil }
            throw .system(.file, absolute(relative), errno: errno)
        }
        let end = lseek(file, begin, 4)
        guard end > begin else { throw .system(.file, absolute(relative), errno: end < 0 ? errno : EIO) }
        return begin..<end
    }
}
