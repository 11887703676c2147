import Glibc

/// The range of a slab that holds one frame.
struct SlabRange {
    let slab: Slab
    let offset: Int
    let count: Int
    /// Bytes of slabs that lie unused because the frame did not fit into them.
    let slack: Int
}

/// Writes one frame after another into slabs. A frame that outgrows its slab moves to the next one, so a frame is
/// always one contiguous range. Used by one thread.
struct SlabWriter {
    private let pool: SlabPool
    private let slabBytes: Int
    private var slab: Slab?
    /// Where the frame in progress begins in `slab`.
    private var start = 0
    /// Bytes of the frame in progress.
    private(set) var count = 0
    /// Bytes that were left unused at the end of slabs since the last frame that was handed out.
    private var slack = 0
    /// The largest frame that is accepted; what goes beyond is refused.
    let frameBytesMax: Int

    /// A writer that takes slabs of `slabBytes` (the pool's common size when nil).
    init(pool: SlabPool, frameBytesMax: Int, slabBytes: Int? = nil) {
        self.pool = pool
        self.frameBytesMax = frameBytesMax
        self.slabBytes = slabBytes ?? pool.slabBytes
    }

    /// The bytes of the frame in progress; valid until the next call.
    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: slab.map { $0.base + start }, count: slab == nil ? 0 : count)
    }

    /// Appends `source` to the frame in progress. False when the frame would pass `frameBytesMax` or no memory is left;
    /// nothing is appended then.
    mutating func append(_ source: UnsafeRawBufferPointer) -> Bool {
        guard !source.isEmpty, let from = source.baseAddress else { return true }
        guard let target = reserve(source.count) else { return false }
        memcpy(target, from, source.count)
        count += source.count
        return true
    }

    /// Appends four bytes in network order.
    mutating func append(word: UInt32) -> Bool {
        guard let target = reserve(4) else { return false }
        target.storeBytes(of: word.bigEndian, as: UInt32.self)
        count += 4
        return true
    }

    /// Overwrites four bytes of the frame in progress, in network order. Ignored outside of it.
    mutating func patch(word: UInt32, at offset: Int) {
        guard let slab, offset >= 0, offset + 4 <= count else { return }
        (slab.base + start + offset).storeBytes(of: word.bigEndian, as: UInt32.self)
    }

    /// Cuts the frame in progress to `count` bytes.
    mutating func truncate(to count: Int) { self.count = min(self.count, max(0, count)) }

    /// Ends the frame and hands out its range; nil when it is empty.
    mutating func finish() -> SlabRange? {
        guard let slab, count > 0 else { return nil }
        let range = SlabRange(slab: slab, offset: start, count: count, slack: slack)
        start += count
        count = 0
        slack = 0
        return range
    }

    /// `source` as a frame of its own; nil when it is empty, too large, or no memory is left.
    mutating func frame(_ source: UnsafeRawBufferPointer) -> SlabRange? {
        discard()
        return append(source) ? finish() : nil
    }

    /// Forgets the frame in progress.
    mutating func discard() { count = 0 }

    private mutating func reserve(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let needed = count + bytes
        guard needed <= frameBytesMax else { return nil }
        if let slab, start + needed <= slab.capacity { return slab.base + start + count }
        let wanted = needed <= slabBytes ? slabBytes : needed * 2
        guard let fresh = wanted == slabBytes ? pool.take(exactly: slabBytes) : pool.take(bytes: wanted) else {
            return nil
        }
        // A slab in which no frame lies is given back whole.
        if let slab, start > 0 { slack += slab.capacity - start }
        if let slab, count > 0 { memcpy(fresh.base, slab.base + start, count) }
        slab = fresh
        start = 0
        return fresh.base + count
    }
}
