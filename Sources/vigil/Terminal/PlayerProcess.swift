internal import Foundation
internal import Glibc

/// A program that runs in the foreground of this one's terminal, so that its keys and Ctrl-C reach it, with a pipe for its standard
/// input.
struct PlayerProcess: Sendable {
    /// Its process.
    let id: pid_t
    /// Where its input is written to. Whoever writes closes it.
    let input: Int32

    /// Has the shell run `line`, whose "$1" is `argument`. Throws `Failure` where the system has no room for it.
    init(_ line: String, argument: String) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
            close(ends[0])
        }
        // The threads that run tasks hold back every signal, and a program inherits that: nothing but SIGKILL would end it.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // Constants that fit.
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        var made = pid_t()
        let words: [String] = ["sh", "-c", line, "vigil", argument]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        let result = posix_spawn(&made, "/bin/sh", &actions, &attributes, &arguments, environ)
        guard result == 0 else {
            close(ends[1])
            throw Self.failure(result)
        }
        (id, input) = (made, ends[1])
    }

    private static func failure(_ code: Int32) -> Failure {
        Failure("cannot start a player: \(String(cString: strerror(code)))")
    }

    /// Waits until it ends, once; gives the status with which it has exited, nil where a signal has ended it.
    func ended() async -> Int32? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [id] in
                var status: Int32 = 0
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                continuation.resume(returning: status & 0x7f == 0 ? status >> 8 & 0xff : nil)
            }
        }
    }
}
