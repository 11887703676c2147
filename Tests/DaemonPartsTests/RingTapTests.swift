import Machines
import Synchronization
import Testing

@testable import Daemon
@testable import Media

@Suite("What is read of a ring to be pushed")
struct RingTapTests {
    /// Frames each 40 ms, of which each 25th is a key frame, into a ring, as an input stores them.
    private struct Camera {
        let ring: PacketRing
        let tap: RingTap
        private var writer = SlabWriter(pool: SlabPool(slabBytes: 64 << 10, idleMax: 2), frameBytesMax: 1 << 20)
        private let configuration = TrackConfiguration(
            id: 0, parameters: TrackParameters(kind: .video, codec: .h264, timescale: 90_000))
        private(set) var sent = 0

        static let (intervalMs, groupFrames): (Int64, Int) = (40, 25)

        init(ringMs: Int64) {
            ring = PacketRing(bounds: PacketRing.Bounds(bytes: 64 << 20, ms: ringMs))
            tap = RingTap(ring: ring, sound: RecordedSound())
            ring.beginDial(hasVideo: true)
            tap.began()
        }

        /// When the next frame comes.
        var now: Instant { Instant(ms: 1_000 + Int64(sent) * Self.intervalMs) }

        mutating func send(_ count: Int, bytes: Int = 100) throws {
            for _ in 0..<count {
                let isWritten = [UInt8](repeating: 7, count: bytes).withUnsafeBytes { writer.append($0) }
                let finished = isWritten ? writer.finish() : nil
                let range = try #require(finished)
                let frame = Frame(
                    track: 0, kind: .video, dts: Int64(sent), pts: Int64(sent), durationTicks: nil,
                    isKey: sent % Self.groupFrames == 0, isRecoveryPoint: false, isDamaged: false, arrival: now,
                    wallClockMs: nil, configuration: configuration, storage: range.slab, offset: range.offset,
                    count: range.count, slack: range.slack)
                sent += 1
                if case .refused = ring.push(frame) { Issue.record("frame \(sent) is not stored") }
                tap.arrived(frame)
            }
        }

        /// A reader of all that came so far, and of what follows.
        func open(wake: @escaping @Sendable () -> Void = {}) -> Int {
            tap.open(now, preRollMs: 3_600_000, notBefore: 0, kinds: [.video], wake: wake)
        }

        /// What one take after the other gives, until one gives nothing.
        func takes(_ reader: Int) -> [[RingTap.Taken]] {
            var takes: [[RingTap.Taken]] = []
            while case let taken = tap.take(reader), !taken.isEmpty { takes.append(taken) }
            return takes
        }
    }

    /// How many frames a reader may hold: its bound, and the rest of what it took from the ring at once.
    private static let heldMax = RingTap.framesMax + 63

    @Test("a pre-roll of more frames than a reader may hold comes whole and in order, over several takes")
    func preRoll() throws {
        var camera = Camera(ringMs: 600_000)
        try camera.send(5_000)
        let reader = camera.open()
        try camera.send(10)
        let takes = camera.takes(reader)
        #expect(takes.count == 3 && takes.allSatisfy { $0.count <= Self.heldMax }, "\(takes.map(\.count))")
        #expect(takes.joined().map(\.frame.dts) == Array(0..<5_010))
        #expect(takes.joined().allSatisfy { $0.stretch == 1 })
        #expect(camera.tap.close(reader) == 5_010)
    }

    @Test("a reader that does not take holds no more than its bounds, and finds the rest in the ring")
    func late() throws {
        var camera = Camera(ringMs: 600_000)
        let reader = camera.open()
        try camera.send(3 * RingTap.framesMax)
        var takes = camera.takes(reader)
        #expect(takes.count == 3 && takes.allSatisfy { $0.count <= Self.heldMax }, "\(takes.map(\.count))")
        #expect(takes.joined().map { Int($0.frame.dts) } == Array(0..<3 * RingTap.framesMax))
        // The same in bytes: 40 MiB of frames of 200 kB.
        let before = camera.sent
        try camera.send(200, bytes: 200_000)
        takes = camera.takes(reader)
        let costs = takes.map { $0.dropLast(64).reduce(0) { $0 + $1.frame.cost } }
        #expect(costs.count > 1 && costs.allSatisfy { $0 < RingTap.bytesMax }, "\(costs)")
        #expect(takes.joined().map { Int($0.frame.dts) } == Array(before..<camera.sent))
        #expect(takes.joined().allSatisfy { $0.stretch == 1 })
    }

    @Test("what the ring has given up before it was taken is a hole: another stretch begins with a key frame behind it")
    func overrun() throws {
        var camera = Camera(ringMs: 10_000)
        let reader = camera.open()
        try camera.send(3 * RingTap.framesMax)
        let taken = camera.takes(reader).joined().map { (number: Int($0.frame.dts), stretch: $0.stretch, $0.frame) }
        let (first, second) = (taken.filter { $0.stretch == 1 }, taken.filter { $0.stretch == 2 })
        #expect(first.count + second.count == taken.count)
        #expect((RingTap.framesMax...Self.heldMax).contains(first.count))
        #expect(first.map(\.number) == Array(0..<first.count))
        let begin = try #require(second.first)
        #expect(begin.2.isKey && begin.number > first.count)
        #expect(second.map(\.number) == Array(begin.number..<3 * RingTap.framesMax))
        // The ring's ten seconds, and up to a group more.
        #expect((250...275).contains(second.count))
    }

    @Test("a reader is woken once until it takes")
    func woken() throws {
        let wakes = Counter()
        var camera = Camera(ringMs: 600_000)
        let reader = camera.open { wakes.count.withLock { $0 += 1 } }
        try camera.send(500)
        #expect(wakes.count.withLock { $0 } == 1)
        #expect(camera.takes(reader).joined().count == 500)
        try camera.send(500)
        #expect(wakes.count.withLock { $0 } == 2)
        #expect(camera.takes(reader).joined().count == 500)
        _ = camera.tap.close(reader)
        try camera.send(100)
        #expect(wakes.count.withLock { $0 } == 2 && camera.tap.take(reader).isEmpty)
    }

    private final class Counter: Sendable { let count = Mutex(0) }
}
