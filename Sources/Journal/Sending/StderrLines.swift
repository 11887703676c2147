internal import Glibc

/// Plain lines on a descriptor, for machines without journald and for a person at a terminal.
final class StderrLines: Outlet {
    /// The longest line, bytes: what a pipe takes in one piece, so that lines of several writers do not mix.
    static let lineBytesMax = 4_096

    private let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// A write can block, so every line is for the owned thread.
    func offer(_ record: [UInt8]) -> Delivery { .needsThread }

    func deliver(_ record: [UInt8]) -> Delivery {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&wanted, 1, Int32(OutletWait.busyMs)) > 0 else { return .busy }
        // Writing to a pipe whose reader is gone would end the process by a signal.
        if wanted.revents & Int16(POLLERR | POLLNVAL) != 0 { return .refused(errno: EPIPE) }
        var written = 0
        while written < record.count {
            let count = record[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN, written == 0 { return .busy }
            guard count > 0 else { return .refused(errno: errno) }
            written += count
        }
        return .delivered
    }

    /// Whether `JOURNAL_STREAM` says that the descriptor is journald's (systemd.exec(5)): then `<6>` in front of a line
    /// is read as its priority.
    static func isJournalStream(descriptor: Int32, environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"] else { return false }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return false }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }

    /// Whether a person may read along.
    static func isTerminal(descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
