/// A run of samples that is written and read as one: a CMAF fragment, or a later chunk of one when it does not begin with a
/// sync sample. Writes its `moof`; `ParsedFragment` reads those of files.
public struct Fragment: Hashable, Sendable {
    /// Decode time of the first sample on the clip's time line, in ticks (`tfdt`).
    public let decodeTime: UInt64
    /// The samples in decoding order.
    let samples: [SampleMetadata]
    /// Wall time of the first sample, when it is known (`prft`).
    let wallClock: WallClock?

    /// A fragment.
    public init(decodeTime: UInt64, samples: [SampleMetadata], wallClock: WallClock? = nil) {
        self.decodeTime = decodeTime
        self.samples = samples
        self.wallClock = wallClock
    }

    /// Ticks from the first sample to the end of the last.
    public var durationTicks: UInt64 { samples.reduce(0) { $0 &+ UInt64($1.durationTicks) } }

    /// Bytes of all samples.
    var dataBytes: UInt64 { samples.reduce(0) { $0 &+ UInt64($1.size) } }

    /// How many samples packets are missing from.
    public var damagedCount: Int { samples.count(where: \.isDamaged) }

    /// Everything before the data: `prft` when the wall time is known, `moof`, and the header of `mdat`.
    /// The values that all samples share are written once (`tfhd`), so audio costs four bytes a frame. `track`: the number that
    /// the movie's header gives the track. `arrival`: when the first sample came from the camera, said instead of the wall clock.
    func encodedHeader(sequence: UInt32, track: UInt32 = 1, arrival: WallClock? = nil) -> [UInt8] {
        var writer = BoxWriter()
        if let clock = arrival ?? wallClock {
            // Flags 24: the time at which the first sample was captured or sent, not that of writing; 1: that at which it came.
            writer.fullBox("prft", version: 1, flags: arrival == nil ? 24 : 1) { writer in
                writer.u32(track)
                writer.u64(clock.ntp)
                writer.u64(decodeTime)
            }
        }
        let start = writer.bytes.count
        var dataOffset = 0
        writer.box("moof") { writer in
            writer.fullBox("mfhd") { $0.u32(sequence) }
            writer.box("traf") { writer in
                let shared = SharedSampleValues(samples)
                shared.writeTrackFragmentHeader(track, &writer)
                writer.fullBox("tfdt", version: 1) { $0.u64(decodeTime) }
                dataOffset = shared.writeRun(&writer, samples)
            }
        }
        writer.patch32(at: dataOffset, UInt32(truncatingIfNeeded: writer.bytes.count - start + 8))
        writer.u32(UInt32(truncatingIfNeeded: dataBytes &+ 8))
        writer.text("mdat")
        return writer.bytes
    }
}

/// Which values all samples of a run share, and how that is written in `tfhd` and `trun`.
private struct SharedSampleValues {
    private let duration: UInt32?
    private let size: UInt32?
    /// The flags of all samples, or of all but the first.
    private let flags: UInt32?
    private let firstFlags: UInt32?
    private let hasOffsets: Bool

    init(_ samples: [SampleMetadata]) {
        let first = samples.first
        duration = samples.allSatisfy { $0.durationTicks == first?.durationTicks } ? first?.durationTicks : nil
        size = samples.allSatisfy { $0.size == first?.size } ? first?.size : nil
        let firstValue = first.map(Self.flags)
        let second = samples.dropFirst().first.map(Self.flags) ?? firstValue
        let isUniform = samples.dropFirst().allSatisfy { Self.flags($0) == second }
        flags = isUniform ? second ?? SampleFlags.sync : nil
        firstFlags = isUniform && firstValue != second ? firstValue : nil
        hasOffsets = samples.contains { $0.compositionOffsetTicks != 0 }
    }

    func writeTrackFragmentHeader(_ track: UInt32, _ writer: inout BoxWriter) {
        var bits: UInt32 = 0x2_0000
        if duration != nil { bits |= 0x08 }
        if size != nil { bits |= 0x10 }
        if flags != nil { bits |= 0x20 }
        writer.fullBox("tfhd", flags: bits) { writer in
            writer.u32(track)
            for value in [duration, size, flags] { if let value { writer.u32(value) } }
        }
    }

    /// Writes `trun` and returns where its data offset has to be patched.
    func writeRun(_ writer: inout BoxWriter, _ samples: [SampleMetadata]) -> Int {
        var bits: UInt32 = 0x01
        if firstFlags != nil { bits |= 0x04 }
        if duration == nil { bits |= 0x100 }
        if size == nil { bits |= 0x200 }
        if flags == nil { bits |= 0x400 }
        if hasOffsets { bits |= 0x800 }
        var dataOffset = 0
        writer.fullBox("trun", version: 1, flags: bits) { writer in
            writer.u32(UInt32(truncatingIfNeeded: samples.count))
            dataOffset = writer.bytes.count
            writer.u32(0)
            if let firstFlags { writer.u32(firstFlags) }
            for sample in samples {
                if duration == nil { writer.u32(sample.durationTicks) }
                if size == nil { writer.u32(sample.size) }
                if flags == nil { writer.u32(Self.flags(sample)) }
                if hasOffsets { writer.u32(UInt32(bitPattern: sample.compositionOffsetTicks)) }
            }
        }
        return dataOffset
    }

    private static func flags(_ sample: SampleMetadata) -> UInt32 {
        (sample.isSync ? SampleFlags.sync : SampleFlags.other) | (sample.isDamaged ? SampleFlags.damaged : 0)
    }
}
