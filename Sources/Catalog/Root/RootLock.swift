import Foundation
import Synchronization

/// The lock of a storage root: a `flock` on `<root>/lock` and on the root itself, which the kernel drops when its holder dies, however it
/// dies. The file holds the pid of the holder for the message to the one that is refused; where somebody has removed it, the root's own
/// lock still refuses.
final class RootLock: Sendable {
    private let descriptors: Mutex<[Int32]>

    /// Takes the lock without waiting, or refuses with the holder's pid.
    init(root: String) throws(CatalogError) {
        let path = root + "/lock"
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard file >= 0 else { throw .system(.open, path, errno: errno) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = Self.readPid(file)
            Glibc.close(file)
            guard code == EWOULDBLOCK else { throw .system(.open, path, errno: code) }
            throw CatalogError(.open, path: root, cause: .locked(pid: holder))
        }
        let folder = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Some file systems over a network lock no folders: there the file alone is what holds.
        if folder >= 0, flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            for descriptor in [file, folder] { Glibc.close(descriptor) }
            throw CatalogError(.open, path: root, cause: .locked(pid: nil))
        }
        // The pid only serves a message: failing to write it (full disk) must not keep the daemon down.
        let words = Array("\(getpid())\n".utf8)
        if ftruncate(file, 0) == 0 { _ = pwrite(file, words, words.count, 0) }
        descriptors = Mutex([file, folder].filter { $0 >= 0 })
    }

    deinit { release() }

    /// Gives the root free. Once is enough; more does nothing.
    func release() {
        descriptors.withLock { descriptors in
            for descriptor in descriptors {
                // A child that was just forked holds a copy until it becomes another program; closing alone would wait for it.
                _ = flock(descriptor, LOCK_UN)
                Glibc.close(descriptor)
            }
            descriptors = []
        }
    }

    private static func readPid(_ file: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        // Reads a text, and gives nil for what is no number.
        return Int32(String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
