/// A `moof` box of a single-track file, read from foreign bytes; `Fragment` writes ours.
struct ParsedFragment {
    /// The most samples that a fragment may have: about a minute of the densest audio, many minutes of video.
    static let maxSamples = 1 << 16
    /// The latest decode time that a fragment may have, in ticks: what is added to it cannot overflow.
    static let maxDecodeTime = UInt64(Int64.max) / 2

    private(set) var sequence: UInt32?
    private(set) var decodeTime: UInt64?
    private(set) var hasDefaultBase = false
    /// A track fragment names the place in the file from which its data count.
    private(set) var hasExplicitBase = false
    private(set) var samples: [SampleMetadata] = []
    /// Where the data of each run begins, as an offset in the file.
    private(set) var runs: [Run] = []
    private(set) var trackFragments = 0

    /// A `trun`.
    struct Run {
        let dataOffset: UInt64
        let firstSample: Int
        let bytes: UInt64
    }

    /// Reads the contents of `moof`; `position` is where the box begins in the file. Nil when it is damaged, has more than
    /// `maxSamples`, or another track.
    init?(_ contents: ArraySlice<UInt8>, position: UInt64, layout: TrackLayout) {
        guard let boxes = Box.list(contents) else { return nil }
        if let header = boxes.first("mfhd") {
            var reader = ByteReader(header.contents)
            guard reader.skip(4) else { return nil }
            sequence = reader.u32()
        }
        for box in boxes where box.type == "traf" {
            guard readTrack(box, position: position, layout: layout) else { return nil }
        }
        guard !samples.isEmpty else { return nil }
    }

    private mutating func readTrack(_ box: Box, position: UInt64, layout: TrackLayout) -> Bool {
        guard let boxes = box.children(), let header = boxes.first("tfhd") else { return false }
        trackFragments += 1
        var reader = ByteReader(header.contents)
        guard let flags = reader.u32(), reader.u32() == layout.trackID else { return false }
        var base = position
        if flags & 0x01 != 0 {
            guard let explicit = reader.u64() else { return false }
            base = explicit
            hasExplicitBase = true
        }
        if flags & 0x02 != 0, !reader.skip(4) { return false }
        var defaults = layout.defaults
        for (bit, field) in [(UInt32(0x08), \TrackLayout.SampleDefaults.duration), (0x10, \.size), (0x20, \.flags)]
        where flags & bit != 0 {
            guard let value = reader.u32() else { return false }
            defaults[keyPath: field] = value
        }
        hasDefaultBase = flags & 0x2_0000 != 0 && flags & 0x01 == 0
        if let time = boxes.first("tfdt"), !readDecodeTime(time) { return false }
        var nextData = base
        for run in boxes where run.type == "trun" {
            guard readRun(run, base: base, next: &nextData, defaults) else { return false }
        }
        return true
    }

    private mutating func readDecodeTime(_ box: Box) -> Bool {
        var reader = ByteReader(box.contents)
        guard let version = reader.u8(), reader.skip(3), let time = reader.number(wide: version == 1),
            time <= Self.maxDecodeTime
        else { return false }
        decodeTime = time
        return true
    }

    private mutating func readRun(
        _ box: Box, base: UInt64, next: inout UInt64, _ defaults: TrackLayout.SampleDefaults
    ) -> Bool {
        var reader = ByteReader(box.contents)
        guard let flags = reader.u32(), let count = reader.u32() else { return false }
        guard UInt64(samples.count) + UInt64(count) <= UInt64(Self.maxSamples) else { return false }
        if flags & 0x01 != 0 {
            guard let offset = reader.u32() else { return false }
            let (sum, overflow) = base.addingReportingOverflow(
                UInt64(bitPattern: Int64(Int32(bitPattern: offset))))
            // A negative offset wraps round on purpose; a wrap of a positive one is damage.
            guard overflow == (Int32(bitPattern: offset) < 0) else { return false }
            next = sum
        }
        var firstFlags: UInt32?
        if flags & 0x04 != 0 {
            guard let value = reader.u32() else { return false }
            firstFlags = value
        }
        let first = samples.count
        var bytes: UInt64 = 0
        for number in 0..<count {
            var values = defaults
            if number == 0, let firstFlags { values.flags = firstFlags }
            var offset: UInt32 = 0
            for (bit, field) in [
                (UInt32(0x100), \TrackLayout.SampleDefaults.duration), (0x200, \.size), (0x400, \.flags),
            ]
            where flags & bit != 0 {
                guard let value = reader.u32() else { return false }
                values[keyPath: field] = value
            }
            if flags & 0x800 != 0 {
                guard let value = reader.u32() else { return false }
                offset = value
            }
            bytes += UInt64(values.size)
            samples.append(
                SampleMetadata(
                    size: values.size, durationTicks: values.duration,
                    compositionOffsetTicks: Int32(bitPattern: offset), isSync: values.flags & SampleFlags.nonSync == 0,
                    isDamaged: values.flags & SampleFlags.degradation != 0))
        }
        runs.append(Run(dataOffset: next, firstSample: first, bytes: bytes))
        let (end, overflow) = next.addingReportingOverflow(bytes)
        next = end
        return !overflow
    }
}
