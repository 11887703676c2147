/// A block of memory that holds the bytes of many frames. The thread that fills it is the only writer; it writes only
/// past what it has already handed out, so every published range is immutable. It goes back to its pool when the last
/// frame that lies in it is gone.
///
/// `@unchecked Sendable` without a lock: the only mutable bytes are those that nobody but the writer has a range of.
final class Slab: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int
    private let pool: SlabPool

    init(base: UnsafeMutableRawPointer, capacity: Int, pool: SlabPool) {
        self.base = base
        self.capacity = capacity
        self.pool = pool
    }

    deinit { pool.giveBack(base, capacity: capacity) }
}
