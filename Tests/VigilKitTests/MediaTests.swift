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
    /// `numbered`: its number in the movie, where it tells one.
    private static func fragment(offset: Int? = nil, numbered: Int? = nil) -> [UInt8] {
        let before = numbered.map { box("mfhd", zeros(4) + number($0)) } ?? []
        func made(_ offset: Int) -> [UInt8] {
            let run =
                number(0x0100_0e01) + number(2) + number(offset) + number(3) + number(0) + number(0) + number(2)
                + number(0x1_0000) + number(20)
            return box(
                "moof",
                before
                    + box(
                        "traf",
                        box("tfhd", number(0x2_0000) + number(1)) + box("tfdt", zeros(4) + number(5_000))
                            + box("trun", run)))
        }
        let head = made(0)
        return made(offset ?? head.count + 8) + box("mdat", [1, 2, 3, 4, 5])
    }

    @Test("Decoded frames are read in whatever pieces they come; a head that says what none may is refused")
    func decoded() throws {
        let head = FrameHead(
            .yuv420p, width: 4, height: 2, count: 12, dial: 3, number: .max, arrived: WallTime(ms: -1), mediaUs: .min)
        #expect(head.bytes.count == FrameHead.length && FrameHead(head.bytes) == head)
        let word = FrameHead(.word, count: 2, dial: 3, number: 1, arrived: WallTime(ms: 5))
        let bytes = head.bytes + Array(1...12) + word.bytes + Array("{}".utf8)
        for size in [1, 7, 48, 61, bytes.count] {
            var (reader, items, rest) = (FramesReader(), [FramesReader.Item](), bytes[...])
            while !rest.isEmpty {
                let taken = reader.take(Array(rest.prefix(size)))
                items += try #require(taken)
                rest = rest.dropFirst(size)
            }
            #expect(
                items == [
                    .init(head: head, content: Array(1...12)), .init(head: word, content: Array("{}".utf8)),
                ])
        }
        // The mark, the content, the length of the head, each size beyond its bound, and bytes that are no frame of that size.
        for (place, byte) in [(0, 0x57), (5, 9), (7, 49), (8, 1), (12, 1), (16, 1), (19, 13)] as [(Int, UInt8)] {
            var broken = head.bytes
            broken[place] = byte
            #expect(FrameHead(broken) == nil, "\(place)")
            var reader = FramesReader()
            #expect(reader.take(broken) == nil)
        }
        #expect(FrameHead(head.bytes.dropLast()) == nil)
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

    /// A fragment of a growing movie: when it came, its number, and the frames of `fragment`.
    private static func grown(_ sequence: Int, second: UInt64 = 3_900_000_000) -> [UInt8] {
        let arrival = box(
            "prft", number(0x0100_0001) + number(1) + number(Int(second)) + number(1 << 31) + zeros(4) + number(5_000))
        return arrival + fragment(numbered: sequence)
    }

    @Test("A growing movie gives each frame with its time as soon as it is whole, whatever pieces it comes in")
    func growing() throws {
        let bytes = Self.header + Self.grown(1) + Self.box("free", [9]) + Self.grown(2) + Self.grown(4)
        for size in [1, 7, 64, bytes.count] {
            var (movie, frames, rest) = (GrowingMovie(), [Frame](), bytes[...])
            while !rest.isEmpty {
                let taken = movie.take(Array(rest.prefix(size)))
                frames += try #require(taken)
                rest = rest.dropFirst(size)
            }
            #expect(frames.map(\.data) == [[1, 2, 3], [4, 5], [1, 2, 3], [4, 5], [1, 2, 3], [4, 5]])
            // Half a second behind 3 900 000 000 s since 1900; the second frame is shown 60 ticks later.
            let came: Int64 = (3_900_000_000 - 2_208_988_800) * 1_000 + 500
            #expect(frames.map(\.time.ms) == [came, came + 60, came, came + 60, came, came + 60])
            // A number that is left out says that frames were.
            #expect(frames.map(\.isDiscontinuous) == [true, false, false, false, true, false])
        }
        // The seconds of its clock begin anew in 2036.
        var movie = GrowingMovie()
        let later = movie.take(Self.header + Self.grown(1, second: 5))
        #expect(try #require(later).first?.time.ms == ((1 << 32) + 5 - 2_208_988_800) * 1_000 + 500)
    }

    @Test("A growing movie that is none, or whose boxes are larger than they may be, is refused")
    func noMovie() throws {
        func taken(_ bytes: [UInt8]) -> [Frame]? {
            var movie = GrowingMovie()
            return movie.take(bytes)
        }
        #expect(taken(Self.number(7) + Array("moov".utf8)) == nil)
        #expect(taken(Self.number(GrowingMovie.boxBytesMax + 1) + Array("moof".utf8)) == nil)
        #expect(taken(Self.number(GrowingMovie.samplesBytesMax + 1) + Array("mdat".utf8)) == nil)
        #expect(taken(Self.number(GrowingMovie.samplesBytesMax) + Array("mdat".utf8)) == [])
        // Samples without a fragment, a fragment without a header, a header of nothing, two headers.
        #expect(taken(Self.header + Self.box("mdat", [1])) == nil && taken(Self.grown(1)) == nil)
        #expect(taken(Self.box("moov", [])) == nil && taken(Self.header + Self.header) == nil)
        // Without the time of a frame nothing is shown.
        #expect(taken(Self.header + Self.fragment()) == [])
        var random = SeededGenerator(seed: 9)
        for _ in 0..<2_000 {
            var bytes = Self.header + Self.grown(1) + Self.grown(2)
            for _ in 0..<4 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let frames = taken(bytes) else { continue }
            #expect(frames.allSatisfy { $0.data.count <= bytes.count })
        }
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
