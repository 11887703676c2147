import Testing

@testable import Media

@Suite struct EncryptedTrackMapTests {
    private static func index(header: UInt64, sizes: [UInt64]) -> FragmentIndex {
        var offset = header
        let entries = sizes.enumerated().map { number, size in
            defer { offset += size }
            return FragmentIndex.Entry(
                offset: offset, size: size, decodeTime: UInt64(number) * 100, durationTicks: 100, sampleCount: 4,
                startsWithKey: true)
        }
        return FragmentIndex(timescale: 90_000, headerBytes: header, entries: entries)
    }

    @Test("A range of the plain file is in the parts that hold its bytes, and so are those of the encrypted one")
    func ranges() throws {
        let plain = Self.index(header: 50, sizes: [100, 200, 300])
        let map = try #require(
            EncryptedTrackMap(plain: plain, encrypted: Self.index(header: 80, sizes: [110, 220, 330])))
        #expect(map.plainBytes == 650 && map.encryptedBytes == 740)
        let numbers = { (range: Range<UInt64>) in map.parts(ofPlain: range).map(\.fragment) }
        #expect(numbers(0..<1) == [nil])
        #expect(numbers(49..<51) == [nil, 0])
        #expect(numbers(50..<150) == [0])
        #expect(numbers(149..<351) == [0, 1, 2])
        #expect(numbers(150..<150) == [])
        #expect(numbers(649..<9_000) == [2])
        #expect(numbers(650..<9_000) == [])
        #expect(numbers(0..<650) == [nil, 0, 1, 2])
        let part = try #require(map.parts(ofPlain: 200..<201).first)
        #expect(part == EncryptedTrackMap.Part(fragment: 1, plain: 150..<350, encrypted: 190..<410))
        #expect(map.parts(ofEncrypted: 189..<190).map(\.fragment) == [0])
        #expect(map.parts(ofEncrypted: 190..<191) == [part])
        #expect(map.parts(ofEncrypted: 79..<81).map(\.fragment) == [nil, 0])
    }

    @Test("Indexes of two files, with a hole, or with an end that no file has make no map")
    func refused() {
        let plain = Self.index(header: 50, sizes: [100, 200])
        #expect(EncryptedTrackMap(plain: plain, encrypted: Self.index(header: 50, sizes: [100])) == nil)
        #expect(EncryptedTrackMap(plain: plain, encrypted: Self.index(header: 50, sizes: [100, 200, 1])) == nil)
        #expect(EncryptedTrackMap(plain: plain, encrypted: Self.index(header: 50, sizes: [100, .max - 200])) == nil)
        #expect(EncryptedTrackMap(plain: plain, encrypted: Self.index(header: 50, sizes: [0, 200])) == nil)
        var other = Self.index(header: 50, sizes: [100, 200])
        other.entries.swapAt(0, 1)
        #expect(EncryptedTrackMap(plain: plain, encrypted: other) == nil)
        #expect(EncryptedTrackMap(plain: other, encrypted: plain) == nil)
        let scaled = FragmentIndex(timescale: 1, headerBytes: 50, entries: plain.entries)
        #expect(EncryptedTrackMap(plain: plain, encrypted: scaled) == nil)
    }
}
