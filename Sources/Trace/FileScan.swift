internal import Hashing

/// What a file of the trace holds, read once to its end. Blocking.
struct FileScan {
    /// The digest of the last record that fits; nil where none does.
    private(set) var end: SHA256.Value?
    /// The number of that record.
    private(set) var number: UInt64 = 0
    /// Where that record ends, in bytes.
    private(set) var wholeBytes: Int64 = 0
    /// The length of the file, in bytes.
    private(set) var bytes: Int64 = 0
    /// Records before that one which do not fit.
    private(set) var broken = 0
    /// The number that the first of these would have.
    private(set) var firstBroken: UInt64 = 0

    init(_ path: String) throws(TraceError) {
        let lines = try FileLines(path: path)
        var chain = Chain()
        var (waiting, firstWaiting) = (0, UInt64(0))
        while let piece = try lines.next() {
            bytes = lines.offset
            if case .line(let text) = piece, let line = RecordLine(text), chain.follow(line) {
                // A later record that stands earlier in the file does not set the numbers back.
                number = max(number, line.number ?? 0)
                end = line.digest
                wholeBytes = bytes
                if broken == 0 { firstBroken = firstWaiting }
                broken += waiting
                waiting = 0
            } else {
                if waiting == 0 { firstWaiting = number &+ 1 }
                waiting += 1
            }
        }
    }
}
