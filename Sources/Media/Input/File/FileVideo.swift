import Machines

/// A video track whose packets are whole access units, as containers and encoders give them.
final class FileVideo {
    private let track: VideoTrack
    private var assembler: VideoAssembler
    private let lengthBytes: Int?
    private let context: DialContext
    /// Parameter sets that the next packet begins with.
    private var leading: [[UInt8]] = []

    init(ordinal: Int, codec: TrackCodec, sets: ParameterSetStore, lengthBytes: Int?, context: DialContext) {
        self.context = context
        track = VideoTrack(ordinal: ordinal, codec: codec, sets: sets, context: context)
        let writer = SlabWriter(pool: context.pool, frameBytesMax: context.limits.frameBytesMax)
        assembler = VideoAssembler(codec: codec, writer: writer, sets: sets)
        assembler.isWhole = true
        self.lengthBytes = lengthBytes
    }

    func accept(_ bytes: UnsafeRawBufferPointer, _ packet: PacketContext, durationTicks: Int64?) {
        for set in leading where !assembler.sets.all.contains(set) {
            set.withUnsafeBytes { _ = assembler.append(nal: $0, packet) }
        }
        leading = []
        if let lengthBytes {
            appendLengths(bytes, lengthBytes, packet)
        } else {
            for range in NALUnits(bytes, framing: .annexB, beginsInUnit: true) {
                _ = assembler.append(nal: bytes.part(range), packet)
            }
        }
        if let unit = assembler.flush() { track.accept(unit, durationTicks: durationTicks) }
        let refused = assembler.takeRefusals()
        if !refused.isEmpty { context.note(refused: refused, track: track.ordinal) }
    }

    /// Packets before the next one were lost.
    func noteLoss() { assembler.noteDamage() }

    /// The next packet begins with these parameter sets, as far as they are not in force.
    func begin(with sets: [[UInt8]]) { leading = sets }

    func flush() { track.flush() }

    private func appendLengths(_ bytes: UnsafeRawBufferPointer, _ lengthBytes: Int, _ context: PacketContext) {
        var index = 0
        while index + lengthBytes <= bytes.count {
            let length = (0..<lengthBytes).reduce(0) { $0 << 8 | Int(bytes[index + $1]) }
            index += lengthBytes
            // A length that points past the end: what there is is kept.
            if length > bytes.count - index { assembler.lost() }
            _ = assembler.append(nal: bytes.part(index..<min(bytes.count, index + length)), context)
            index += length
        }
    }
}
