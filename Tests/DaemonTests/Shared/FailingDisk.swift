import Foundation
import Testing

/// A disk that fails for one file: a library that the dynamic loader puts before libc's calls in the daemon's process, so that
/// every part of it meets what the kernel gives for a broken sector. The rest of the file system works.
struct FailingDisk {
    /// What fails.
    enum Call: String {
        /// Reads of at least so many bytes as told.
        case read
        /// fsync and fdatasync.
        case sync
        /// Any open.
        case open
    }

    /// Whether one can be made here.
    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")

    private let library: String

    /// Compiles the library into `folder`.
    init(folder: String) throws {
        library = folder + "/failing.so"
        let source = folder + "/failing.c"
        try Self.source.write(toFile: source, atomically: true, encoding: .utf8)
        let made = try RunningDaemon.run("/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"])
        guard made.status == 0 else { throw Failure(words: made.errors) }
    }

    struct Failure: Error {
        let words: String
    }

    /// The environment of a process in which `call` fails with EIO for the file whose path ends with `path`.
    func environment(_ call: Call, _ path: String, fromBytes: Int = 1) -> [String: String] {
        // Beside what these tests themselves are run with, a sanitizer's.
        let libraries = [library, ProcessInfo.processInfo.environment["LD_PRELOAD"]].compactMap { $0 }
        return [
            "LD_PRELOAD": libraries.joined(separator: ":"), "VIGIL_FAIL_CALL": call.rawValue,
            "VIGIL_FAIL_PATH": path, "VIGIL_FAIL_BYTES": "\(fromBytes)",
        ]
    }

    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/types.h>
        #include <unistd.h>

        static int ends(const char *path) {
            const char *end = getenv("VIGIL_FAIL_PATH");
            size_t a = strlen(path), b = end ? strlen(end) : 0;
            return b > 0 && a >= b && strcmp(path + a - b, end) == 0;
        }
        static int fails(const char *call, int file, size_t bytes) {
            const char *wanted = getenv("VIGIL_FAIL_CALL"), *least = getenv("VIGIL_FAIL_BYTES");
            char link[64], path[4096];
            if (!wanted || strcmp(wanted, call) != 0 || bytes < (size_t)atol(least ? least : "1")) return 0;
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, path, sizeof path - 1);
            if (length <= 0) return 0;
            path[length] = 0;
            return ends(path);
        }
        #define REAL(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))
        #define FAIL(call, file, bytes) if (fails(call, file, bytes)) { errno = EIO; return -1; }

        ssize_t pread(int f, void *b, size_t n, off_t o) {
            FAIL("read", f, n) return REAL(ssize_t, pread, int, void *, size_t, off_t)(f, b, n, o);
        }
        ssize_t pread64(int f, void *b, size_t n, off64_t o) {
            FAIL("read", f, n) return REAL(ssize_t, pread64, int, void *, size_t, off64_t)(f, b, n, o);
        }
        ssize_t read(int f, void *b, size_t n) {
            FAIL("read", f, n) return REAL(ssize_t, read, int, void *, size_t)(f, b, n);
        }
        int fsync(int f) { FAIL("sync", f, 1 << 30) return REAL(int, fsync, int)(f); }
        int fdatasync(int f) { FAIL("sync", f, 1 << 30) return REAL(int, fdatasync, int)(f); }
        int openat(int folder, const char *path, int flags, ...) {
            va_list list; va_start(list, flags); mode_t mode = va_arg(list, mode_t); va_end(list);
            const char *wanted = getenv("VIGIL_FAIL_CALL");
            if (wanted && strcmp(wanted, "open") == 0 && ends(path)) { errno = EIO; return -1; }
            return REAL(int, openat, int, const char *, int, ...)(folder, path, flags, mode);
        }
        """#
}
