import RandomSource
import Testing

@testable import Media

@Suite("The numbers of a playlist")
struct PlaylistTextTests {
    private func text(_ write: (inout PlaylistText) -> Void) -> String {
        var text = PlaylistText(capacity: 0)
        write(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test("Whole numbers are written as they are, from the least to the greatest")
    func numbers() {
        var generator = SeededGenerator(seed: 7)
        let random = (0..<64).map { UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64($0) }
        let powers = (0..<20).map { (0..<$0).reduce(UInt64(1)) { power, _ in power * 10 } }
        for number in random + powers + powers.map({ $0 - 1 }) + [.max] {
            #expect(text { $0.number(number) } == "\(number)")
        }
        #expect(text { $0.number(Int64.min) } == "\(Int64.min)" && text { $0.number(-1) } == "-1")
    }

    @Test(
        "Seconds have six digits behind the point",
        arguments: [
            (0, 90_000, "0.000000"), (90_000, 90_000, "1.000000"), (1, 1_000_000, "0.000001"),
            (15_999, 16_000, "0.999938"),
            (-5, 90_000, "0.000000"), (3_600_000_123, 1_000, "3600000.123000"), (6_000, 90_000, "0.066667"),
        ] as [(Int64, UInt32, String)])
    func seconds(_ ticks: Int64, _ timescale: UInt32, _ written: String) {
        #expect(text { $0.seconds(ticks, timescale: timescale) } == written)
    }
}
