import Glibc
import Machines

/// Where and when a piece of a stream came.
struct PacketContext {
    /// The claimed time stamp; nil when there is none.
    let stamp: Int64?
    let arrival: Instant
    /// The last packet of an access unit, as far as the camera says so.
    var isMarked = false
}

/// One access unit, complete but for its place in time.
struct AssembledUnit {
    let range: SlabRange
    let context: PacketContext
    let isKey: Bool
    let hasRecoveryPoint: Bool
    let isDamaged: Bool
    /// The parameter sets that hold from this unit on, when they have changed.
    let changedSets: ChangedSets?

    /// Whether a clip can begin with it.
    var opensClip: Bool { isKey || hasRecoveryPoint }
}

/// Parameter sets that have changed. A class: few units have any, and all are copied on their way.
final class ChangedSets {
    let sets: ParameterSetStore

    init(_ sets: ParameterSetStore) { self.sets = sets }
}

/// Puts NAL units together to access units, in place: each unit goes straight into the slab behind four bytes that become
/// its length. Knows nothing of RTP or containers. Used by one thread.
struct VideoAssembler {
    let codec: TrackCodec
    private var writer: SlabWriter
    private(set) var sets: ParameterSetStore
    /// How often they have changed since the last access unit.
    private var changes = 0
    private var mayHaveFields = false

    /// The source gives whole access units and calls `flush` after each: nothing else divides them.
    var isWhole = false

    // The access unit in progress.
    private var context: PacketContext?
    private var hasSlices = false
    private var isKey = false
    private var hasRecoveryPoint = false
    private var isDamaged = false
    /// The camera marked its end.
    private var isMarked = false

    // The NAL unit in progress.
    private var nalStart: Int?
    private var nalRefused = false

    /// What a loss since the last packet means for the unit that comes next.
    private enum Loss {
        case none
        /// It lacks something unless it begins a picture: the one in progress was not complete yet.
        case perhaps
        /// It, or a whole one before it, lacks something.
        case certain
    }
    private var loss = Loss.none

    init(codec: TrackCodec, writer: SlabWriter, sets: ParameterSetStore) {
        self.codec = codec
        self.writer = writer
        self.sets = sets
        mayHaveFields = sets.configuration?.mayHaveFields ?? false
    }

    /// Packets were lost: what is in progress is damaged, and the NAL unit in progress ends where the hole is, because
    /// a slice that is cut short decodes better than one with a hole in it.
    mutating func lost() {
        cut()
        let isOpen = hasSlices && !isMarked
        if isOpen { isDamaged = true }
        loss = isOpen ? .perhaps : .certain
    }

    /// The NAL unit in progress ends here, without its end.
    mutating func cut() {
        guard nalStart != nil else { return }
        endNAL()
        isDamaged = true
    }

    /// What comes next is of another sender: a NAL unit in progress stays incomplete, and what waits for a slice that will
    /// not come is no frame.
    mutating func changeSender() {
        cut()
        guard !hasSlices else { return }
        writer.discard()
        context = nil
        isDamaged = false
        hasRecoveryPoint = false
    }

    /// The access unit in progress, or the next where there is none, lacks something.
    mutating func noteDamage() { if hasSlices { isDamaged = true } else { loss = .certain } }

    /// A whole NAL unit. Gives the access unit that ended before it.
    mutating func append(nal: UnsafeRawBufferPointer, _ context: PacketContext) -> AssembledUnit? {
        guard !nal.isEmpty else { return nil }
        let finished = beginNAL(nal, context)
        write(nal)
        endNAL()
        return finished
    }

    /// The first piece of a NAL unit: its rebuilt header and what follows.
    mutating func beginFragments(
        header: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer, _ context: PacketContext
    ) -> AssembledUnit? {
        // The role needs the first byte behind the header; no header is longer than two.
        var head = (UInt8(0), UInt8(0), UInt8(0))
        let finished = withUnsafeMutableBytes(of: &head) { head in
            head.copyMemory(from: header)
            if let first = payload.first, header.count < head.count { head[header.count] = first }
            return beginNAL(UnsafeRawBufferPointer(rebasing: head[..<min(head.count, header.count + 1)]), context)
        }
        write(header)
        write(payload)
        return finished
    }

    /// A further piece of the NAL unit in progress.
    mutating func continueFragments(_ payload: UnsafeRawBufferPointer, isEnd: Bool, _ context: PacketContext) {
        guard nalStart != nil else {
            // Its begin was lost. Where it belongs to the access unit in progress, that one bears the damage alone.
            let isInside = hasSlices && self.context?.stamp == context.stamp
            isDamaged = isDamaged || isInside
            loss = isInside ? .none : .certain
            return
        }
        write(payload)
        if isEnd { endNAL() }
    }

    /// The camera said that the access unit is complete with what came so far.
    mutating func mark() { isMarked = isMarked || hasSlices }

    /// Ends the access unit in progress; nil when there is none.
    mutating func flush() -> AssembledUnit? {
        endNAL()
        guard hasSlices else {
            // Parameter sets alone are remembered; they are no frame.
            if isWhole { writer.discard() }
            return nil
        }
        return finish()
    }

    /// Hands out why units were left out.
    mutating func takeRefusals() -> [BitstreamError] { sets.refusals.isEmpty ? [] : sets.takeRefusals() }

    private mutating func beginNAL(_ head: UnsafeRawBufferPointer, _ context: PacketContext) -> AssembledUnit? {
        if nalStart != nil {
            // The last piece of the unit in progress never came.
            endNAL()
            isDamaged = true
        }
        let role = NALRole.of(head, codec: codec)
        var finished: AssembledUnit?
        if hasSlices, ends(before: role, context) { finished = finish() }
        if !hasSlices, self.context == nil || self.context?.stamp != context.stamp {
            // What precedes the first slice takes the slice's time; some cameras send parameter sets with an old one.
            self.context = PacketContext(stamp: context.stamp, arrival: self.context?.arrival ?? context.arrival)
        }
        if loss == .certain || loss == .perhaps && !(finished != nil && role.beginsAccessUnit) { isDamaged = true }
        loss = .none
        note(role)
        nalStart = writer.count
        nalRefused = !writer.append(word: 0)
        return finished
    }

    private func ends(before role: NALRole, _ context: PacketContext) -> Bool {
        if isWhole { return false }
        if self.context?.stamp != context.stamp { return true }
        guard role.beginsAccessUnit else { return false }
        // The second field of a frame has the first one's time and is kept with it.
        if mayHaveFields { return false }
        // The same time again on a new picture: only where the camera does not call the picture unfinished.
        if case .slice = role { return true }
        return isMarked
    }

    private mutating func note(_ role: NALRole) {
        guard case .slice(let key, _) = role else { return }
        hasSlices = true
        isKey = isKey || key
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) {
        guard !nalRefused else { return }
        if !writer.append(bytes) {
            nalRefused = true
            isDamaged = true
        }
    }

    private mutating func endNAL() {
        guard let start = nalStart else { return }
        nalStart = nil
        let length = writer.count - start - 4
        guard length > 0 else {
            writer.truncate(to: start)
            return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: writer.bytes[(start + 4)...])
        if NALUnits.startCode(in: bytes, from: 0) != nil {
            // Some cameras put a whole byte stream into one unit: it is taken apart. One copy, because the units are written
            // where it lies, and there may be millions of them.
            let stream = [UInt8](bytes)
            writer.truncate(to: start)
            stream.withUnsafeBytes { stream in
                for range in NALUnits(stream, framing: .annexB, beginsInUnit: true) { take(unit: stream.part(range)) }
            }
        } else {
            writer.patch(word: UInt32(truncatingIfNeeded: length), at: start)
            if !inspect(bytes) { writer.truncate(to: start) }
        }
    }

    /// A whole NAL unit of a byte stream.
    private mutating func take(unit: UnsafeRawBufferPointer) {
        guard inspect(unit) else { return }
        note(NALRole.of(unit, codec: codec))
        let before = writer.count
        guard writer.append(word: UInt32(truncatingIfNeeded: unit.count)), writer.append(unit) else {
            // No length without its unit.
            writer.truncate(to: before)
            isDamaged = true
            return
        }
    }

    /// Looks at a whole NAL unit; false when no clip can hold it, so that it is left out.
    private mutating func inspect(_ nal: UnsafeRawBufferPointer) -> Bool {
        switch NALRole.of(nal, codec: codec) {
        case .vps, .sps, .pps:
            switch sets.take(nal, changes: changes) {
            case .changed:
                changes += 1
                mayHaveFields = sets.configuration?.mayHaveFields ?? mayHaveFields
            case .known: break
            case .refused: return false
            }
        case .prefix(isSEI: true):
            if NALRole.hasRecoveryPoint(nal, codec: codec) { hasRecoveryPoint = true }
        case .slice, .prefix, .other: break
        }
        return true
    }

    private mutating func finish() -> AssembledUnit? {
        defer {
            context = nil
            hasSlices = false
            isKey = false
            hasRecoveryPoint = false
            isDamaged = false
            isMarked = false
        }
        guard let context, let range = writer.finish() else { return nil }
        let changed = changes > 0 ? ChangedSets(sets) : nil
        changes = 0
        return AssembledUnit(
            range: range, context: context, isKey: isKey, hasRecoveryPoint: hasRecoveryPoint, isDamaged: isDamaged,
            changedSets: changed)
    }
}
