import Machines
import Testing

@testable import Media

@Suite("A frame costs what it takes of memory (H1)")
struct FrameCostTests {
    /// So much may lie in the slabs that are being filled.
    private let slabsOpen = 2 * (16 << 10)

    @Test("Frames of one byte fill the ring by what they really take")
    func tiny() throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 64 << 10, ms: 60_000))
        _ = ring.push(try maker.frame(isKey: true, arrivalMs: 0))
        for number in 1...20_000 {
            _ = ring.push(try maker.frame(.audio, isKey: true, arrivalMs: Int64(number / 1_000), bytes: 1))
        }
        let holding = ring.holding
        #expect(holding.bytes <= 64 << 10)
        #expect(holding.frames * MemoryLayout<Frame>.stride <= 64 << 10)
        #expect(holding.frames > 50)
    }

    @Test("What frames leave unused of their slabs is charged to them", arguments: [9_000, 17_000, 20_000])
    func slack(bytes: Int) throws {
        var maker = FrameMaker()
        let ring = PacketRing(bounds: .init(bytes: 1 << 20, ms: 60_000))
        for number in 0..<400 {
            _ = ring.push(try maker.frame(isKey: number == 0, arrivalMs: Int64(number), bytes: bytes))
        }
        #expect(ring.holding.frames > 20)
        #expect(maker.pool.mappedBytes <= 1 << 20 + 4 * bytes + slabsOpen)
    }

    @Test("A viewer's queue and the group of pictures under way are bounded by the same measure")
    func queues() throws {
        var maker = FrameMaker()
        let queue = FrameQueue(sound: .original)
        let source = ObjectIdentifier(queue)
        queue.follow(source)
        queue.begin(StreamDial(number: 1, streams: []), [], of: source)
        var group = GroupOfPictures()
        _ = group.take(try maker.frame(isKey: true, arrivalMs: 0))
        for number in 1...1_500 {
            // Each wastes half a slab.
            let frame = try maker.frame(isKey: false, arrivalMs: Int64(number), bytes: 9_000)
            _ = queue.take(frame, of: source)
            _ = group.take(frame)
        }
        #expect(queue.waiting.bytes <= FrameQueue.bytesMax)
        #expect(queue.waiting.frames * (16 << 10) <= FrameQueue.bytesMax + slabsOpen)
        #expect(group.frames.count * (16 << 10) <= GroupOfPictures.bytesMax + slabsOpen)
    }
}
