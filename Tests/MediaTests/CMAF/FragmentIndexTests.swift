import RandomSource
import Testing

@testable import Media

@Suite struct FragmentIndexTests {
    private static let sample = FragmentIndex(
        timescale: 90_000, primingTicks: 7, headerBytes: 800,
        entries: (0..<300 as Range<UInt64>).map { number -> FragmentIndex.Entry in
            FragmentIndex.Entry(
                offset: 800 + number * 100_000, size: 100_000, decodeTime: number * 180_000, durationTicks: 180_000,
                sampleCount: 50, startsWithKey: number % 7 != 3)
        })

    @Test("An index comes back from its blob, extremes included, and takes a few bytes a fragment")
    func roundTrip() throws {
        let blob = Self.sample.encoded()
        #expect(try FragmentIndex(decoding: blob) == Self.sample)
        #expect(blob.count < 300 * 8)
        var extremes = FragmentIndex(timescale: .max, headerBytes: UInt64(Int64.max))
        let values: [UInt64] = [.max, 0, 1, 1 << 63, .max - 1]
        for value in values {
            extremes.entries.append(
                FragmentIndex.Entry(
                    offset: value, size: value, decodeTime: value, durationTicks: value, sampleCount: .max,
                    startsWithKey: false))
        }
        #expect(try FragmentIndex(decoding: extremes.encoded()) == extremes)
    }

    @Test("Any bytes decode or throw; what decodes encodes to an equal index")
    func total() throws {
        let blob = Self.sample.encoded()
        for length in 0..<blob.count {
            #expect(throws: BitstreamError.self) { try FragmentIndex(decoding: blob.prefix(length)) }
        }
        var generator = SeededGenerator(seed: 5)
        var decoded = 0
        for _ in 0..<5000 {
            guard let index = try? FragmentIndex(decoding: blob.mutated(by: &generator)) else { continue }
            #expect(try FragmentIndex(decoding: index.encoded()) == index)
            _ = index.durationMs
            decoded += 1
        }
        #expect(decoded > 500)
        // A count that would ask for gigabytes is refused before anything is allocated.
        #expect(throws: BitstreamError.self) {
            try FragmentIndex(decoding: [1, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f])
        }
    }

    @Test("The key fragment at or before a moment is found")
    func search() {
        #expect(Self.sample.keyEntry(atOrBefore: 0) == 0)
        #expect(Self.sample.keyEntry(atOrBefore: 180_000 * 3 + 5) == 2)
        #expect(Self.sample.keyEntry(atOrBefore: .max) == 299)
        #expect(FragmentIndex(timescale: 1, headerBytes: 0).keyEntry(atOrBefore: 5) == nil)
        #expect(Self.sample.durationMs == 600_000)
    }
}
