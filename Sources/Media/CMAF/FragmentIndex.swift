/// Where the fragments of a track file are and what time they cover: enough to serve any of them by byte range, without
/// opening the file. The catalog keeps it as a blob in the clip's row.
public struct FragmentIndex: Hashable, Sendable {
    /// One fragment.
    public struct Entry: Hashable, Sendable {
        /// First byte (of `prft` or `moof`) in the file.
        public let offset: UInt64
        /// Bytes up to the end of `mdat`.
        public let size: UInt64
        /// Decode time of the first sample, in ticks.
        public let decodeTime: UInt64
        /// Ticks from the first sample to the end of the last.
        public let durationTicks: UInt64
        /// How many samples it has.
        public let sampleCount: UInt32
        /// Whether decoding can begin at its first sample.
        public let startsWithKey: Bool
        /// How many of its samples packets are missing from.
        public let damagedCount: UInt32

        /// An entry.
        public init(
            offset: UInt64, size: UInt64, decodeTime: UInt64, durationTicks: UInt64, sampleCount: UInt32,
            startsWithKey: Bool, damagedCount: UInt32 = 0
        ) {
            self.offset = offset
            self.size = size
            self.decodeTime = decodeTime
            self.durationTicks = durationTicks
            self.sampleCount = sampleCount
            self.startsWithKey = startsWithKey
            self.damagedCount = damagedCount
        }

        /// Ticks at which the last sample ends; saturates.
        var endTime: UInt64 {
            let (sum, overflow) = decodeTime.addingReportingOverflow(durationTicks)
            return overflow ? .max : sum
        }

        /// The byte after the last; saturates.
        public var endOffset: UInt64 {
            let (sum, overflow) = offset.addingReportingOverflow(size)
            return overflow ? .max : sum
        }
    }

    /// Ticks per second of all times, 1…
    public let timescale: UInt32
    /// What the header's edit list takes off, in ticks.
    public let primingTicks: UInt32
    /// Bytes of `ftyp` and `moov` at the start of the file.
    public let headerBytes: UInt64
    /// The fragments in file order.
    public internal(set) var entries: [Entry]

    /// An index.
    public init(timescale: UInt32, primingTicks: UInt32 = 0, headerBytes: UInt64, entries: [Entry] = []) {
        self.timescale = timescale
        self.primingTicks = primingTicks
        self.headerBytes = headerBytes
        self.entries = entries
    }

    /// Ticks from the first sample of the track to the end of the last; 0 when empty.
    public var durationTicks: UInt64 {
        guard let first = entries.first, let last = entries.last, last.endTime > first.decodeTime else { return 0 }
        return last.endTime - first.decodeTime
    }

    /// The same in milliseconds, rounded.
    public var durationMs: Int64 { Ticks.milliseconds(durationTicks, timescale: timescale) }

    /// Where the last sample ends on the clip's time line, in milliseconds, rounded; 0 when empty.
    public var endMs: Int64 {
        guard let last = entries.last else { return 0 }
        return Ticks.rescale(Int64(clamping: last.endTime) - Int64(primingTicks), from: timescale, to: 1_000)
    }

    /// How many samples packets are missing from.
    public var damagedCount: Int64 { entries.reduce(0) { $0 &+ Int64($1.damagedCount) } }

    /// The last entry that begins at or before `ticks` and starts with a key; nil when there is none.
    func keyEntry(atOrBefore ticks: UInt64) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].decodeTime <= ticks { low = middle + 1 } else { high = middle }
        }
        return entries[..<low].lastIndex(where: \.startsWithKey)
    }
}
