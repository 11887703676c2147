import RandomSource
import Testing

@testable import VigilKit

@Suite("Media, as the library reads it")
struct MediaTests {
    private static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        number(contents.count + 8) + Array(type.utf8) + contents
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// The header of a track of H.264 with the timescale 1000.
    private static let header: [UInt8] = {
        let record: [UInt8] = [1, 0x64, 0, 0x1f, 0xff, 0xe0, 0]
        let entry = box(
            "avc1", zeros(24) + [2, 0x80, 1, 0x68] + zeros(50) + box("avcC", record))
        let media =
            box("mdhd", zeros(12) + number(1_000) + zeros(8))
            + box("minf", box("stbl", box("stsd", zeros(4) + number(1) + entry)))
        let track = box("trak", box("tkhd", zeros(12) + number(1) + zeros(68)) + box("mdia", media))
        return box("ftyp", Array("cmfc".utf8))
            + box("moov", track + box("mvex", box("trex", zeros(4) + number(1) + number(1) + number(40) + zeros(8))))
    }()

    /// Two frames, of which the second cannot be decoded alone; the second is shown 20 ticks later than decoded.
    private static func fragment(offset: Int? = nil) -> [UInt8] {
        func made(_ offset: Int) -> [UInt8] {
            let run =
                number(0x0100_0e01) + number(2) + number(offset) + number(3) + number(0) + number(0) + number(2)
                + number(0x1_0000) + number(20)
            return box(
                "moof",
                box(
                    "traf",
                    box("tfhd", number(0x2_0000) + number(1)) + box("tfdt", zeros(4) + number(5_000))
                        + box("trun", run)))
        }
        let head = made(0)
        return made(offset ?? head.count + 8) + box("mdat", [1, 2, 3, 4, 5])
    }

    @Test("Header and fragments give frames with parameter sets, times and flags")
    func frames() throws {
        let header = try #require(MovieHeader(Self.header))
        #expect(header.format.codec == .h264 && header.format.timescale == 1_000 && header.trackID == 1)
        #expect(header.format.width == 640 && header.format.height == 360 && header.format.lengthBytes == 4)
        let frames = try #require(MovieFragment.frames(Self.fragment() + Self.fragment(), of: header))
        #expect(frames.map(\.data) == [[1, 2, 3], [4, 5], [1, 2, 3], [4, 5]])
        #expect(frames.map(\.decodeTime) == [5_000, 5_040, 5_000, 5_040])
        #expect(frames.map(\.presentationTime) == [5_000, 5_060, 5_000, 5_060])
        #expect(frames.map(\.isSync) == [true, false, true, false] && frames.allSatisfy { !$0.isDamaged })
    }

    @Test(
        "Places outside of what was sent, and torn media, are damage",
        arguments: [-1, 0x7fff_ffff, -0x8000_0000, 100_000])
    func places(_ offset: Int) throws {
        let header = try #require(MovieHeader(Self.header))
        #expect(MovieFragment.frames(Self.fragment(offset: offset), of: header) == nil)
        #expect(MovieFragment.frames(Self.fragment().dropLast(), of: header) == nil)
    }

    @Test("Frames together have no more bytes than were sent, however often a fragment names the same")
    func namedAgain() throws {
        let header = try #require(MovieHeader(Self.header))
        func made(_ runs: Int, _ offset: Int) -> [UInt8] {
            let run = Self.box(
                "trun", Self.number(0x201) + Self.number(1) + Self.number(offset) + Self.number(1_000))
            let runs = [[UInt8]](repeating: run, count: runs).flatMap { $0 }
            let head = Self.box("tfhd", Self.number(0x2_0000) + Self.number(1))
            let time = Self.box("tfdt", Self.zeros(4) + Self.number(5_000))
            return Self.box("moof", Self.box("traf", head + time + runs))
        }
        func fragment(_ runs: Int) -> [UInt8] {
            made(runs, made(runs, 0).count + 8) + Self.box("mdat", Self.zeros(1_000))
        }
        #expect(MovieFragment.frames(fragment(1), of: header)?.map(\.data.count) == [1_000])
        #expect(MovieFragment.frames(fragment(2), of: header) == nil)
    }

    @Test("Whatever is changed in the bytes, nothing traps, and no frame is larger than what was sent")
    func damage() throws {
        let good = try #require(MovieHeader(Self.header))
        var random = SeededGenerator(seed: 7)
        for _ in 0..<4_000 {
            var (header, fragment) = (Self.header, Self.fragment())
            for _ in 0..<4 {
                header[Int(random.next() % UInt64(header.count))] = UInt8(truncatingIfNeeded: random.next())
                fragment[Int(random.next() % UInt64(fragment.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            for read in [MovieHeader(header), good] {
                guard let read, let frames = MovieFragment.frames(fragment, of: read) else { continue }
                #expect(frames.allSatisfy { $0.data.count <= fragment.count })
            }
        }
    }
}
