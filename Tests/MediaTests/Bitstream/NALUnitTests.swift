import RandomSource
import Testing

@testable import Media

@Suite struct NALUnitTests {
    private func units(_ bytes: [UInt8], _ framing: NALFraming) -> [[UInt8]] {
        bytes.withUnsafeBytes { buffer in NALUnits(buffer, framing: framing).map { Array(buffer[$0]) } }
    }

    @Test("Start codes of three and four bytes, zero bytes after units, and empty units")
    func annexB() {
        let bytes: [UInt8] = [0, 0, 0, 1, 9, 8, 0, 0, 1, 7, 0, 0, 3, 1, 0, 0, 0, 0, 1, 0, 0, 1, 5]
        #expect(units(bytes, .annexB) == [[9, 8], [7, 0, 0, 3, 1], [5]])
        #expect(units([1, 2, 3], .annexB) == [])
        #expect(units([], .annexB) == [])
        #expect(units([0, 0, 1], .annexB) == [])
        #expect(units([0, 0, 0, 1, 6], .annexB) == [[6]])
    }

    @Test("Lengths of one, two and four bytes; a length beyond the end stops")
    func lengthPrefixed() {
        #expect(units([0, 0, 0, 2, 9, 8, 0, 0, 0, 0, 0, 0, 0, 1, 7], .lengthPrefixed(bytes: 4)) == [[9, 8], [7]])
        #expect(units([0, 1, 5, 0, 2, 6], .lengthPrefixed(bytes: 2)) == [[5]])
        #expect(units([2, 1, 5, 0, 1, 6], .lengthPrefixed(bytes: 1)) == [[1, 5], [6]])
        #expect(units([255, 255, 255, 255, 1], .lengthPrefixed(bytes: 4)) == [])
        #expect(units([1, 2], .lengthPrefixed(bytes: 9)) == [])
    }

    @Test("Conversion gives the same units, each behind its length")
    func conversion() {
        var generator = SeededGenerator(seed: 3)
        for round in 0..<2000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let short = round % 2 == 0 && Int.random(in: 0..<4, using: &generator) == 0
                bytes += short ? [0, 0, 1] : [0, 0, 0, 1]
                let length = Int.random(in: 1...12, using: &generator)
                bytes += (0..<length).map { _ in UInt8([0, 1, 2, 3, 0x67].randomElement(using: &generator) ?? 9) }
            }
            var copy: [UInt8] = []
            let size = bytes.withUnsafeBytes { AnnexB.appendLengthPrefixed($0, to: &copy) }
            #expect(size == copy.count)
            #expect(units(copy, .lengthPrefixed(bytes: 4)) == units(bytes, .annexB))
        }
    }

    @Test("No bytes make the units leave the buffer")
    func mutations() throws {
        // A whole one, for a unit that is longer than its buffer is none; once with lengths, once with start codes.
        let samples = try TestMedia.h265.get().samples.map(\.data)
        let sample = try #require(samples.min { $0.count < $1.count })
        let annexB = [0, 0, 0, 1] + sample.dropFirst(4)
        var generator = SeededGenerator(seed: 9)
        var units = 0
        for round in 0..<5000 {
            let bytes = (round % 2 == 0 ? sample : annexB).mutated(by: &generator)
            bytes.withUnsafeBytes { buffer in
                for framing in [NALFraming.annexB, .lengthPrefixed(bytes: 4), .lengthPrefixed(bytes: 2)] {
                    for unit in NALUnits(buffer, framing: framing) {
                        #expect(unit.lowerBound >= 0 && unit.upperBound <= buffer.count && !unit.isEmpty)
                        units += 1
                    }
                }
            }
        }
        #expect(units > 5000)
    }
}
