internal import Machines
internal import Synchronization

/// The names of a camera's level sources, with the numbers by which its machine knows them.
final class SourceNames: Sendable {
    /// Most names that a camera may have in one run.
    static let most = 64
    /// The source of this name is a doorbell: what it begins, or rings in, has a label of this name.
    static let doorbell = "doorbell"

    private let known = Mutex<[(name: String, staleMs: Int64)]>([])

    /// The number of the source of a name, given when it is first heard of; nil when there are too many. It says that it holds for
    /// `staleMs` milliseconds unless it is refreshed; nil where it says that it is off.
    func number(of name: String, staleMs: Int64?) -> SourceNumber? {
        known.withLock { known in
            let index = known.firstIndex { $0.name == name } ?? known.count
            if index == known.count {
                guard index < Self.most else { return nil }
                known.append((name, 0))
            }
            if let staleMs { known[index].staleMs = staleMs }
            // Less than `most`.
            return SourceNumber(UInt8(index))
        }
    }

    /// The source of a number: its name, and for how many milliseconds it last said that it holds.
    subscript(number: SourceNumber) -> (name: String, staleMs: Int64)? {
        known.withLock { $0.indices.contains(Int(number.rawValue)) ? $0[Int(number.rawValue)] : nil }
    }
}
