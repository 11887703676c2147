internal import Hashing

/// Follows the chain of digests through the lines of a trace.
///
/// Behind a record that does not fit, the next may follow the digest that stands in it, the one that it should have, or the
/// record before it; so one thing that was done to the trace makes one record not fit, not all that follow.
struct Chain {
    /// The digests that the next record may follow, the likeliest first; empty where any may.
    private(set) var ends: [SHA256.Value] = []
    private var isBroken = false

    /// Most digests that are tried.
    private static let endsMax = 6

    /// Anything may come, if it begins a file.
    init() {}

    /// Whether the record fits to those before; it then is one of them.
    mutating func follow(_ line: RecordLine) -> Bool {
        let origins = origins(of: line)
        let digests = origins.map { RecordLine.digest(line.body, behind: $0) }
        if let digest = line.digest, line.isFormed, digests.contains(digest) {
            ends = Array(([digest] + (isBroken ? ends : [])).prefix(Self.endsMax))
            isBroken = false
            return true
        }
        // Behind a file that does not follow the one before, its own records do follow it.
        var next = line.digest.map { [$0] } ?? []
        next += digests.prefix(2) + ends
        ends = Array(next.prefix(Self.endsMax))
        isBroken = true
        return false
    }

    /// A file tells what it follows, which must be what came before; the first one that is read may follow anything.
    private func origins(of line: RecordLine) -> [SHA256.Value] {
        guard line.kind == .file else { return ends }
        guard let previous = line.previous else { return [] }
        return ends.isEmpty || ends.contains(previous) ? [previous] : []
    }
}
