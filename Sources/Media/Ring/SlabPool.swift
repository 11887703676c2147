import Glibc
import Synchronization

/// The memory from which every camera's frames are cut: slabs of one size, recycled through a bounded free list that
/// the cameras share. Slabs are mapped directly, so that memory given up goes back to the system at once and the
/// fragments of a thread's heap do not hold it.
public final class SlabPool: Sendable {
    private struct State {
        /// Addresses of idle slabs of the common size, the most recently used last.
        var idle: [UInt] = []
        var mappedBytes = 0
    }

    /// Size of the common slab in bytes, a multiple of the page size.
    let slabBytes: Int
    /// How many idle slabs are kept for the next taker.
    let idleMax: Int
    private let state = Mutex(State())

    /// A pool of slabs of `slabBytes` (rounded up to 4 KiB, at least 16 KiB) that keeps up to `idleMax` idle ones.
    public init(slabBytes: Int = 256 << 10, idleMax: Int = 16) {
        self.slabBytes = SlabPool.rounded(max(16 << 10, min(slabBytes, 1 << 30)))
        self.idleMax = max(0, idleMax)
    }

    /// Bytes that are mapped now, idle slabs included.
    var mappedBytes: Int { state.withLock { $0.mappedBytes } }

    /// A slab of at least `bytes`; nil when the system has no memory left.
    func take(bytes: Int) -> Slab? {
        let capacity = bytes <= slabBytes ? slabBytes : SlabPool.rounded(bytes)
        return take(exactly: capacity)
    }

    /// A slab of exactly `capacity` bytes (a multiple of the page size).
    func take(exactly capacity: Int) -> Slab? {
        if capacity == slabBytes, let address = state.withLock({ $0.idle.popLast() }),
            let base = UnsafeMutableRawPointer(bitPattern: address)
        {
            return Slab(base: base, capacity: capacity, pool: self)
        }
        guard let base = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            base != MAP_FAILED
        else { return nil }
        state.withLock { $0.mappedBytes += capacity }
        return Slab(base: base, capacity: capacity, pool: self)
    }

    fileprivate static func rounded(_ bytes: Int) -> Int { (bytes + 4095) & ~4095 }

    func giveBack(_ base: UnsafeMutableRawPointer, capacity: Int) {
        let address = UInt(bitPattern: base)
        let kept = state.withLock { state in
            guard capacity == slabBytes, state.idle.count < idleMax else {
                state.mappedBytes -= capacity
                return false
            }
            state.idle.append(address)
            return true
        }
        if !kept { munmap(base, capacity) }
    }

    /// Gives the idle slabs back to the system: they are kept for a load that may be over.
    public func releaseIdle() {
        let addresses = state.withLock { state in
            state.mappedBytes -= state.idle.count * slabBytes
            defer { state.idle = [] }
            return state.idle
        }
        for address in addresses {
            if let base = UnsafeMutableRawPointer(bitPattern: address) { munmap(base, slabBytes) }
        }
    }

    deinit { releaseIdle() }
}
