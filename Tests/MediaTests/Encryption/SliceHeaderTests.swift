import Testing

@testable import Media

@Suite struct SliceHeaderTests {
    /// Writes bits as H.264 and H.265 have them.
    private struct Bits {
        private(set) var bits: [Bool] = []

        mutating func put(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 != 0) }
        }

        mutating func unsigned(_ value: Int) {
            let width = Int.bitWidth - (value + 1).leadingZeroBitCount
            put(0, width - 1)
            put(value + 1, width)
        }

        /// The bytes, the last one filled with ones, and with emulation prevention.
        var bytes: [UInt8] {
            var (out, zeros) = ([UInt8](), 0)
            for start in stride(from: 0, to: bits.count, by: 8) {
                let byte = (start..<start + 8).reduce(UInt8(0)) { $0 << 1 | ($1 >= bits.count || bits[$1] ? 1 : 0) }
                if zeros >= 2, byte <= 3 {
                    out.append(3)
                    zeros = 0
                }
                zeros = byte == 0 ? zeros + 1 : 0
                out.append(byte)
            }
            return out
        }
    }

    @Test("A number that is cut by an emulation prevention byte is read, and the byte counts")
    func emulation() throws {
        let bytes: [UInt8] = [0x67, 0x00, 0x00, 0x03, 0x01, 0x80]
        try bytes.withUnsafeBytes { unit throws in
            var bits = SliceBits(unit, headerBytes: 1)
            #expect(try bits.bits(24) == 1)
            #expect(bits.bytesRead == 5)
            #expect(try bits.flag())
            #expect(bits.bytesRead == 6)
            try bits.skip(7)
            #expect(throws: BitstreamError.self) { _ = try bits.flag() }
        }
    }

    @Test("A set that is predicted from another leaves out the picture itself, and counts what is used")
    func predicted() throws {
        var bits = Bits()
        // Set 0: pictures -1, -3 before and +2 after, of which -3 is not used.
        for value in [2, 1] { bits.unsigned(value) }
        bits.unsigned(0)
        bits.put(1, 1)
        bits.unsigned(1)
        bits.put(0, 1)
        bits.unsigned(1)
        bits.put(1, 1)
        // Set 1: each of them one later, and the picture of set 0. -1 becomes the picture itself, which is no reference.
        bits.put(1, 1)
        bits.put(0, 1)
        bits.unsigned(0)
        for _ in 0..<4 { bits.put(1, 1) }
        // Set 2, in a slice: from the set before by -4. -2, +3 and +1 become -6, -1 and -3; the last is neither used nor kept.
        bits.put(1, 1)
        bits.unsigned(0)
        bits.put(1, 1)
        bits.unsigned(3)
        for flags in [(1, 1), (0, 2), (1, 1), (0, 1)] as [(Int, Int)] {
            if flags == (0, 2) { bits.put(0b01, 2) } else { bits.put(flags.0, flags.1) }
        }
        bits.put(0, 1)
        try ([0x40, 0x01] + bits.bytes).withUnsafeBytes { unit throws in
            var reader = SliceBits(unit, headerBytes: 2)
            let first = try H265ReferenceSet(&reader, number: 0, sets: [], inSlice: false)
            #expect(first.usedCount == 2)
            let second = try H265ReferenceSet(&reader, number: 1, sets: [first], inSlice: false)
            #expect(second.usedCount == 3, "-3 + 1, 2 + 1 and 0 + 1")
            let third = try H265ReferenceSet(&reader, number: 2, sets: [first, second], inSlice: true)
            #expect(third.usedCount == 2)
        }
    }

    @Test(
        "A slice of an unknown parameter set keeps 64 bytes clear, and one that the frame itself brings is read",
        arguments: ["h264", "h265"])
    func parameterSets(name: String) throws {
        let stream = try EncryptedMedia.stream(name)
        let isH264 = name == "h264"
        let other = try EncryptedMedia.stream(isH264 ? "cavlc" : "h265Main10")
        let sample = try #require(stream.samples.first).data
        let sets = Self.sets(stream.configuration)
        let lead = try Self.clear(sample, stream.configuration)
        let head = Self.head(sample, isH264)
        #expect((head + 1..<head + 64).contains(lead))
        // Sets that cannot be read make the known ones unknown.
        let broken = sets.flatMap { Self.unit(Array($0.prefix(isH264 ? 1 : 3)) + [0]) }
        #expect(try Self.clear(broken + sample, stream.configuration) == broken.count + head + 64)
        // Those of another stream stand in the header, those of this one before the frame.
        let own = sets.flatMap { Self.unit($0) }
        #expect(try Self.clear(own + sample, other.configuration) == own.count + lead)
    }

    /// Clear bytes before the first encrypted one.
    private static func clear(_ sample: [UInt8], _ configuration: CodecConfiguration) throws -> Int {
        var headers = try #require(SliceHeaders(configuration))
        var samples = EncryptedSamples()
        sample.withUnsafeBytes { samples.append($0, &headers) }
        return Int(try #require(samples.subsamples.first { $0.encrypted > 0 }).clear)
    }

    /// Where the first slice begins.
    private static func head(_ sample: [UInt8], _ isH264: Bool) -> Int {
        var place = 0
        while let length = sample.number32(at: place) {
            let first = sample[place + 4]
            if isH264 ? (1...5).contains(first & 0x1f) : first >> 1 & 0x3f < 32 { break }
            place += 4 + Int(length)
        }
        return place + 4
    }

    private static func sets(_ configuration: CodecConfiguration) -> [[UInt8]] {
        switch configuration {
        case .h264(let video): video.sequenceParameterSets + video.pictureParameterSets
        case .h265(let video): video.sequenceParameterSets + video.pictureParameterSets
        default: []
        }
    }

    private static func unit(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
}
