import Machines
import RandomSource
import Testing

@testable import Media

@Suite("The packet ring")
struct PacketRingTests {
    private func at(_ ms: Int64) -> Instant { Instant(ms: ms) }

    @Test("agrees with a plain list over random dials, frames, purges and readers", arguments: 0..<40)
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let bounds = PacketRing.Bounds(
            bytes: 80 << 10, ms: [500, 2_000, 10_000][seed % 3], writtenMs: [nil, 0, 300, 3_000][seed % 4])
        let ring = PacketRing(bounds: bounds)
        var model = RingModel(bounds: bounds)
        var maker = FrameMaker()
        var now: Int64 = 1_000
        ring.beginDial(hasVideo: true)
        model.beginDial(hasVideo: true)
        var starts = 0
        for _ in 0..<2_000 {
            now += Int64(random.next() % 80)
            switch random.next() % 200 {
            case 0:
                let hasVideo = random.next() % 4 != 0
                ring.beginDial(hasVideo: hasVideo)
                model.beginDial(hasVideo: hasVideo)
            case 1, 2:
                let wanted = random.next() % 2 == 0
                if wanted { ring.keep(at: at(now)) } else { ring.purge(before: ring.seal()) }
                model.keep(wanted, at: at(now))
            case 3, 4, 5:
                let position = model.next - min(model.next, random.next() % 30)
                ring.note(writtenBefore: position)
                model.written = max(model.written, position)
            default:
                let isVideo = random.next() % 3 != 0
                let bytes = 1 + Int(random.next() % (random.next() % 40 == 0 ? 70_000 : 2_000))
                let frame = try maker.frame(
                    isVideo ? .video : .audio, isKey: random.next() % 25 == 0, arrivalMs: now, bytes: bytes)
                let stored = model.push(frame)
                #expect((ring.push(frame) != .refused) == stored)
            }
            starts += try compare(ring, model, now, &random) ? 1 : 0
        }
        #expect((200..<1_990).contains(starts), "readers hardly find a start, or always do: \(starts)")
    }

    /// Whether there was a start to read from.
    private func compare(_ ring: PacketRing, _ model: RingModel, _ now: Int64, _ random: inout SeededGenerator) throws
        -> Bool
    {
        let holding = ring.holding
        try #require(holding.frames == model.items.count)
        #expect(holding.bytes == model.bytes)
        #expect(holding.next == model.next)
        let wanted = at(now - Int64(random.next() % 12_000))
        let notBefore = random.next() % 2 == 0 ? nil : model.next &- min(model.next, random.next() % 60)
        let start = ring.start(wanted: wanted, notBefore: notBefore)
        let expected = model.start(wanted: wanted, notBefore: notBefore)
        #expect(start?.position == expected?.position)
        #expect((start?.shortfall != nil) == (expected?.isLate ?? false))
        guard let start else { return false }
        switch ring.frames(from: start.position, dial: start.dial, limit: 7) {
        case .frames(let frames, let next):
            let items = model.items.drop { $0.position < start.position }.prefix { $0.dial == start.dial }.prefix(7)
            #expect(frames.map(\.arrival) == items.map(\.frame.arrival))
            #expect(next == start.position + UInt64(items.count))
        case .overrun, .dialEnded: Issue.record("a start has frames")
        }
        return true
    }

    @Test("What is in a clip is given up first, and a clip that begins behind it says that it is in the one before")
    func written() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 10_000, writtenMs: 0))
        ring.beginDial(hasVideo: true)
        for second in Int64(1)...8 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: second * 1_000)) }
        #expect(ring.holding.frames == 8)
        ring.note(writtenBefore: 6)
        _ = ring.push(try maker.frame(isKey: false, arrivalMs: 8_500))
        #expect(ring.holding.oldestStart == at(7_000), "what is in a clip is kept, or more is gone")
        let start = ring.start(wanted: at(3_000), notBefore: 6)
        #expect(start?.position == 6)
        #expect(start?.shortfall == .previousClip)
        #expect(ring.start(wanted: at(3_000), notBefore: 4)?.shortfall == .openedLate, "the clip before ends earlier")
        ring.bound(.init(bytes: 64 << 10, ms: 10_000, writtenMs: 10_000))
        ring.note(writtenBefore: 9)
        _ = ring.push(try maker.frame(isKey: true, arrivalMs: 12_000))
        #expect(ring.holding.oldestStart == at(7_000), "who wants frames that are in a clip has lost them")
    }

    @Test("says why a clip begins later than wanted")
    func shortfalls() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 10_000))
        #expect(ring.start(wanted: at(0)) == nil)
        ring.beginDial(hasVideo: true)
        #expect(ring.push(try maker.frame(isKey: false, arrivalMs: 1_000)) == .refused)
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 2_000)) == .stored(0))
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 4_000)) == .stored(1))
        #expect(ring.start(wanted: at(1_500))?.shortfall == .linkYoung)
        #expect(ring.start(wanted: at(2_000)) == RingStart(position: 0, dial: 1, instant: at(2_000), shortfall: nil))
        #expect(ring.start(wanted: at(3_000), notBefore: 1)?.shortfall == .previousClip)
        #expect(ring.start(wanted: at(9_000), notBefore: 1)?.shortfall == nil)

        ring.purge(before: ring.seal())
        #expect(ring.holding.frames == 0)
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 5_500)) == .refused)
        ring.keep(at: at(6_000))
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 6_000)) == .refused)
        #expect(ring.push(try maker.frame(isKey: false, arrivalMs: 6_100)) == .refused)
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 6_500)) == .stored(2))
        #expect(ring.start(wanted: at(5_000))?.shortfall == .notAllowed)
    }

    @Test("what is triggered begins within its pre-roll, else with the group in which it was triggered, else later")
    func triggered() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 1 << 20, ms: 60_000))
        #expect(ring.start(trigger: at(0), preRollMs: 5_000, notBefore: 0) == nil)
        ring.beginDial(hasVideo: true)
        for second in 0..<5 {
            _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 2_000 + 1_000))
            _ = ring.push(try maker.frame(isKey: false, arrivalMs: Int64(second) * 2_000 + 2_000))
        }
        func position(_ trigger: Int64, _ preRollMs: Int64, _ notBefore: UInt64 = 0) -> UInt64? {
            ring.start(trigger: at(trigger), preRollMs: preRollMs, notBefore: notBefore)?.position
        }
        #expect(position(6_500, 0) == 4 && position(6_500, 1_000) == 4 && position(6_500, 1_500) == 4)
        #expect(position(6_500, 3_500) == 2 && position(6_500, 3_499) == 4 && position(6_500, 60_000) == 0)
        #expect(position(500, 60_000) == 0 && position(6_500, 60_000, 3) == 4 && position(6_500, 0, 5) == 6)
        #expect(position(99_000, 1_000) == 8 && position(99_000, 1_000, 9) == nil)
    }

    @Test("what a camera sends at once when it is dialled stays until a clip has begun with it, without any pre-roll")
    func burst() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 0))
        ring.beginDial(hasVideo: true)
        for number in 0..<25 {
            #expect(ring.push(try maker.frame(isKey: number % 12 == 0, arrivalMs: 1_000)) == .stored(UInt64(number)))
        }
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_900)) == .stored(25))
        #expect(ring.start(wanted: at(1_002))?.position == 0)
        // Later only the last group is kept.
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 3_000)) == .stored(26))
        #expect(ring.holding.frames == 1)
    }

    @Test("a sealed ring takes nothing more, and keeps what it has until it is purged")
    func sealed() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 10_000))
        ring.beginDial(hasVideo: true)
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_000)) == .stored(0))
        let end = ring.seal()
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_100)) == .refused)
        #expect(ring.holding.frames == 1)
        ring.purge(before: end)
        #expect(ring.holding.frames == 0)
        ring.keep(at: at(1_300))
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_400)) == .stored(1))
    }

    @Test("what is kept again before the purge is done stays, and does not follow what was there")
    func keptAgain() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 10_000))
        ring.beginDial(hasVideo: true)
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_000)) == .stored(0))
        // Off, on, off and on again, while the queue that purges hangs.
        let (first, _) = (ring.seal(), ring.keep(at: at(1_100)))
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_200)) == .stored(1))
        let second = ring.seal()
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_300)) == .refused)
        ring.keep(at: at(1_400))
        #expect(ring.push(try maker.frame(isKey: true, arrivalMs: 1_500)) == .stored(2))
        guard case .frames(let frames, 1) = ring.frames(from: 0, dial: 1, limit: 9), frames.count == 1 else {
            Issue.record("a clip must not span a time when nothing was allowed")
            return
        }
        ring.pin(0, until: at(60_000))
        ring.purge(before: first)
        #expect(ring.holding.frames == 2)
        ring.purge(before: second)
        #expect(ring.holding.frames == 1)
        #expect(ring.start(wanted: at(0))?.position == 2)
        #expect(ring.start(wanted: at(0))?.shortfall == .notAllowed)
    }

    @Test("a clip that is ordered before its first key frame has come is owed that key frame")
    func orderedEarly() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 0), isKeeping: false)
        ring.beginDial(hasVideo: true)
        ring.keep(at: at(1_000))
        ring.pin(from: at(1_000), until: at(60_000), now: at(1_000))
        for second in 2..<6 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 1_000)) }
        #expect(ring.start(wanted: at(1_000))?.instant == at(2_000))
    }

    @Test("bounds that grow let more stay, and what they had cut away is missed for want of memory")
    func bounded() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 1_000))
        ring.beginDial(hasVideo: true)
        for second in 0..<10 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 1_000)) }
        #expect(ring.start(wanted: at(5_000))?.shortfall == .openedLate)
        ring.bound(.init(bytes: 64 << 10, ms: 5_000))
        #expect(ring.start(wanted: at(5_000))?.shortfall == .memory)
        for second in 10..<20 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 1_000)) }
        #expect(ring.start(wanted: at(14_000))?.shortfall == nil)
    }

    @Test("what is pinned for a clip that is not open yet stays, whatever its age")
    func pinned() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 1_000))
        ring.beginDial(hasVideo: true)
        for second in 0..<3 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 1_000)) }
        ring.pin(from: at(1_500), until: at(10_000), now: at(2_000))
        for second in 3..<9 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 1_000)) }
        #expect(ring.start(wanted: at(1_500))?.instant == at(1_000))
        ring.extendPin(until: at(20_000))
        for second in 9..<15 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 1_000)) }
        #expect(ring.start(wanted: at(1_500))?.instant == at(1_000))
        for second in 15..<25 { _ = ring.push(try maker.frame(isKey: true, arrivalMs: Int64(second) * 1_000)) }
        #expect(ring.start(wanted: at(1_500))?.shortfall == .openedLate)
    }

    @Test("cuts a group that alone is larger than its bound, says so once, and recovers with the next key frame")
    func cut() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 5_000))
        ring.beginDial(hasVideo: true)
        var pushes: [PacketRing.Push] = []
        for index in 0..<10 {
            pushes.append(
                ring.push(try maker.frame(isKey: index == 0, arrivalMs: Int64(index) * 40, bytes: 10_000)))
        }
        #expect(pushes.filter { if case .cut = $0 { true } else { false } } == [.cut(4)])
        #expect(ring.holding.bytes <= 64 << 10)
        #expect(ring.start(wanted: at(0)) == nil)
        _ = ring.push(try maker.frame(isKey: true, arrivalMs: 400, bytes: 10_000))
        #expect(ring.start(wanted: at(200))?.shortfall == .memory)
        // The reader that was there before the cut is told what it has lost.
        guard case .overrun(let oldest) = ring.frames(from: 0, dial: 1, limit: 1) else {
            Issue.record("the reader was not told")
            return
        }
        #expect(oldest > 0)
    }

    @Test("ends a reader's clip where the dial ends, also after a purge")
    func dials() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 1 << 20, ms: 60_000))
        ring.beginDial(hasVideo: true)
        _ = ring.push(try maker.frame(isKey: true, arrivalMs: 0))
        _ = ring.push(try maker.frame(isKey: false, arrivalMs: 40))
        guard case .frames(let idle, 2) = ring.frames(from: 2, dial: 1, limit: 9) else {
            Issue.record("nothing new is no end")
            return
        }
        #expect(idle.isEmpty)
        ring.beginDial(hasVideo: false)
        _ = ring.push(try maker.frame(.audio, isKey: true, arrivalMs: 900))
        guard case .frames(let frames, 2) = ring.frames(from: 0, dial: 1, limit: 9) else {
            Issue.record("the first dial's frames are there")
            return
        }
        #expect(frames.count == 2)
        guard case .dialEnded(2) = ring.frames(from: 2, dial: 1, limit: 9) else {
            Issue.record("a clip must not span two dials")
            return
        }
        #expect(ring.start(wanted: at(50))?.position == 2)
        ring.purge(before: ring.seal())
        guard case .overrun(3) = ring.frames(from: 2, dial: 2, limit: 9) else {
            Issue.record("purged frames are gone for every reader")
            return
        }
    }

    @Test("frames keep their bytes after the ring has let go of them, and slabs go back to the pool")
    func memory() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 100))
        ring.beginDial(hasVideo: true)
        var kept: Frame?
        for index in 0..<400 {
            let frame = try maker.frame(
                isKey: true, arrivalMs: Int64(index) * 40, bytes: 3_000, fill: UInt8(index & 255))
            if index == 7 { kept = frame }
            _ = ring.push(frame)
        }
        #expect(kept?.withBytes { $0.allSatisfy { $0 == 7 } && $0.count == 3_000 } == true)
        // What the ring holds, one slab for the kept frame, one being written, the idle ones.
        #expect(maker.pool.mappedBytes <= (64 << 10) + 5 * (16 << 10))
    }

    @Test("idle slabs can be given back, and those that are in use stay")
    func idle() throws {
        let pool = SlabPool(slabBytes: 16 << 10, idleMax: 2)
        let used = try #require(pool.take(bytes: 1))
        used.base.storeBytes(of: 7, as: UInt8.self)
        var others = (0..<3).compactMap { _ in pool.take(bytes: 1) }
        #expect(others.count == 3 && pool.mappedBytes == 4 * (16 << 10))
        others = []
        #expect(pool.mappedBytes == 3 * (16 << 10))
        pool.releaseIdle()
        #expect(pool.mappedBytes == 16 << 10)
        #expect(used.base.load(as: UInt8.self) == 7)
        others = try [#require(pool.take(bytes: 1))]
        #expect(others[0].base != used.base && pool.mappedBytes == 2 * (16 << 10))
    }

    @Test("a frame that outgrows its slab moves as a whole, and one past the bound is refused")
    func growth() throws {
        let pool = SlabPool(slabBytes: 16 << 10, idleMax: 1)
        var writer = SlabWriter(pool: pool, frameBytesMax: 100_000)
        let piece = (0..<7_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for _ in 0..<9 {
            let isWritten = piece.withUnsafeBytes { writer.append($0) }
            #expect(isWritten)
        }
        let finished = writer.finish()
        let range = try #require(finished)
        #expect(range.count == 63_000)
        let bytes = UnsafeRawBufferPointer(start: range.slab.base + range.offset, count: range.count)
        #expect(bytes.enumerated().allSatisfy { $1 == piece[$0 % 7_000] })
        var isAccepted = true
        for _ in 0..<15 where isAccepted { isAccepted = piece.withUnsafeBytes { writer.append($0) } }
        #expect(!isAccepted)
        #expect(writer.count <= 100_000)
    }
}
