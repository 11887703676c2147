internal import Synchronization

/// What a track file that is being written holds so far: its writer adds to it, readers on any thread look at it. Nobody has
/// to scan the file.
public final class WrittenTrack: Sendable {
    private let state: Mutex<(index: FragmentIndex, durable: Int)>

    init(_ index: FragmentIndex) { state = Mutex((index, 0)) }

    /// The whole fragments so far; what it names can be read.
    public var index: FragmentIndex { state.withLock { $0.index } }

    /// How many of them a power cut cannot take any more.
    public var durable: Int { state.withLock { $0.durable } }

    /// A fragment is in the file.
    func append(_ entry: FragmentIndex.Entry) { state.withLock { $0.index.entries.append(entry) } }

    /// All that is in the file has become durable.
    func synced() { state.withLock { $0.durable = $0.index.entries.count } }
}
