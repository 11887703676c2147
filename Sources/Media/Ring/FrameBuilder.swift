package import Machines

/// Makes frames from bytes, without a camera: for those who drive the ring and the writer by themselves. Used by one thread.
package struct FrameBuilder {
    private var writer: SlabWriter

    /// A builder that takes its memory from `pool`; frames may have up to 1 MiB.
    package init(pool: SlabPool) { writer = SlabWriter(pool: pool, frameBytesMax: 1 << 20) }

    /// A frame of `bytes`, presented when it is decoded; nil when it is empty or no memory is left.
    package mutating func frame(
        track: Int, kind: TrackKind, dts: Int64, isKey: Bool, arrival: Instant, configuration: TrackConfiguration,
        bytes: UnsafeRawBufferPointer
    ) -> Frame? {
        writer.discard()
        guard writer.append(bytes), let range = writer.finish() else { return nil }
        return Frame(
            track: track, kind: kind, dts: dts, pts: dts, durationTicks: nil, isKey: isKey, isRecoveryPoint: false,
            isDamaged: false, arrival: arrival, wallClockMs: nil, configuration: configuration,
            storage: range.slab, offset: range.offset, count: range.count,
            slack: range.slack)
    }
}
