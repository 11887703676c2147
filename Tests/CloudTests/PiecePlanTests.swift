import Machines
import Media
import RandomSource
import Testing

@testable import Cloud

@Suite struct PiecePlanTests {
    /// A track file whose fragments have these sizes, one after another.
    private static func index(_ sizes: [UInt64], header: UInt64 = 700) -> FragmentIndex {
        var (entries, place): ([FragmentIndex.Entry], UInt64) = ([], header)
        for (number, size) in sizes.enumerated() {
            entries.append(
                FragmentIndex.Entry(
                    offset: place, size: size, decodeTime: UInt64(number) * 2_000, durationTicks: 2_000,
                    sampleCount: 50,
                    startsWithKey: true))
            place += size
        }
        return FragmentIndex(timescale: 1_000, headerBytes: header, entries: entries)
    }

    /// Each fragment lies in exactly one piece, and the pieces are the file.
    private static func isWhole(_ plan: PiecePlan, _ index: FragmentIndex) -> Bool {
        var place: UInt64 = 0
        for (number, piece) in plan.pieces.enumerated() {
            guard piece.number == number + 1, piece.bytes.lowerBound == place else { return false }
            place = piece.bytes.upperBound
        }
        return place == index.entries.last?.endOffset
            && index.entries.allSatisfy { entry in
                plan.pieces.count { $0.bytes.overlaps(entry.offset..<entry.endOffset) } == 1
            }
    }

    @Test("Each fragment is in exactly one piece, whatever the sizes, the pace of the line, outages and restarts")
    func random() throws {
        var (random, restarts, joined, alone, large) = (SeededGenerator(seed: 7), 0, 0, 0, 0)
        for round in 0..<400 {
            let most: UInt64 = round % 3 == 0 ? 20 << 20 : 300_000
            let sizes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                UInt64.random(in: 9...most, using: &random)
            }
            let index = Self.index(sizes, header: UInt64.random(in: 1...2_000, using: &random))
            var (plan, durable) = (PiecePlan(.video), 0)
            while durable < sizes.count {
                // So many fragments came while the piece before was sent, or nobody answered.
                durable = min(sizes.count, durable + Int.random(in: 0...8, using: &random))
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    guard let piece = plan.next(in: index, upTo: durable) else { break }
                    #expect(
                        piece.bytes.upperBound <= index.entries[durable - 1].endOffset,
                        "what is not durable is not sent")
                    let held = index.entries.filter {
                        $0.offset >= piece.bytes.lowerBound && $0.endOffset <= piece.bytes.upperBound
                    }
                    #expect(!held.isEmpty && (piece.bytes.count <= PiecePlan.bytesMax || held.count == 1))
                    (joined, alone) = (joined + (held.count > 1 ? 1 : 0), alone + (held.count == 1 ? 1 : 0))
                    large += piece.bytes.count > PiecePlan.bytesMax ? 1 : 0
                    plan.add(piece)
                }
                #expect(plan.fits(index) && plan.sent(of: index).entries.last?.endOffset ?? 0 == plan.end)
                if Int.random(in: 0..<4, using: &random) == 0 {
                    plan = try #require(PiecePlan(.video, plan.pieces.shuffled(using: &random)))
                    restarts += 1
                }
            }
            plan.complete(index)
            #expect(Self.isWhole(plan, index) && plan.fits(index), "\(sizes): \(plan.pieces)")
            #expect(plan.next(in: index, upTo: sizes.count) == nil && plan.sent(of: index) == index)
        }
        #expect(restarts > 100 && joined > 100 && alone > 100 && large > 20)
    }

    @Test("The first piece begins with the header; nothing is sent before a fragment is durable")
    func first() {
        let index = Self.index([1_000, 500, 200])
        let plan = PiecePlan(.audio)
        #expect(plan.next(in: index, upTo: 0) == nil && plan.next(in: index, upTo: -1) == nil)
        #expect(plan.next(in: index, upTo: 1) == PiecePlan.Piece(number: 1, bytes: 0..<1_700))
        #expect(plan.next(in: index, upTo: 99)?.bytes == 0..<2_400)
        #expect(plan.name(of: PiecePlan.Piece(number: 3, bytes: 0..<1)) == "audio.000003.cmfa")
        #expect(plan.sent(of: index).entries.isEmpty && plan.end == 0)
    }

    @Test("Pieces with a hole, twice the same, or empty are no plan; those of another file do not fit")
    func strange() throws {
        func plan(_ pieces: (Int, Range<UInt64>)...) -> PiecePlan? {
            PiecePlan(.video, pieces.map { PiecePlan.Piece(number: $0, bytes: $1) })
        }
        #expect(plan((1, 0..<5), (2, 6..<9)) == nil && plan((1, 1..<5)) == nil && plan((2, 0..<5)) == nil)
        #expect(plan((1, 0..<5), (1, 0..<5)) == nil && plan((1, 0..<0)) == nil && plan((1, 0..<5), (3, 5..<9)) == nil)
        let index = Self.index([1_000, 500, 200])
        #expect(try #require(plan((1, 0..<1_700), (2, 1_700..<2_400))).fits(index))
        // It ends within a fragment; it has more than the file; it has the header alone.
        #expect(try !#require(plan((1, 0..<1_699))).fits(index) && !#require(plan((1, 0..<2_401))).fits(index))
        #expect(try !#require(plan((1, 0..<700), (2, 700..<1_700))).fits(index))
        #expect(PiecePlan(.video).fits(index))
    }

    @Test("A piece's name tells its number, and no other name does")
    func names() {
        for number in [1, 42, 999_999, 1_234_567] {
            #expect(CloudKeys.number(ofPiece: CloudKeys.piece(.video, number), .video) == number)
            #expect(CloudKeys.number(ofPiece: CloudKeys.piece(.video, number), .audio) == nil)
        }
        for name in [
            "video.cmfv", "video.1.cmfv", "video.000000.cmfv", "video.-00001.cmfv", "video.+00001.cmfv",
            "video.000001.cmfa",
            "video.000001.cmfv.", "live.json", "", "video.99999999999999999999.cmfv",
        ] { #expect(CloudKeys.number(ofPiece: name, .video) == nil, "\(name)") }
    }
}
