internal import Machines
internal import Synchronization

/// The names of a camera's level sources, with the numbers by which its machine knows them.
final class SourceNames: Sendable {
    /// Most names that a camera may have in one run.
    static let most = 64
    /// The source of this name is a doorbell: what it begins, or rings in, has a label of this name.
    static let doorbell = "doorbell"

    /// A source as it has spoken.
    struct Source {
        let name: String
        /// For how many milliseconds it last said that it holds.
        var staleMs: Int64 = 0
        /// Whether it has ever said that it is off.
        var saysOff = false
    }

    private let known = Mutex<[Source]>([])

    /// The number of the source of a name, given when it is first heard of; nil when there are too many. It says that it holds for
    /// `staleMs` milliseconds unless it is refreshed; nil where it says that it is off.
    func number(of name: String, staleMs: Int64?) -> SourceNumber? {
        known.withLock { known in
            let index = known.firstIndex { $0.name == name } ?? known.count
            if index == known.count {
                guard index < Self.most else { return nil }
                known.append(Source(name: name))
            }
            if let staleMs { known[index].staleMs = staleMs } else { known[index].saysOff = true }
            // Less than `most`.
            return SourceNumber(UInt8(index))
        }
    }

    /// The source of a number.
    subscript(number: SourceNumber) -> Source? {
        known.withLock { $0.indices.contains(Int(number.rawValue)) ? $0[Int(number.rawValue)] : nil }
    }
}
