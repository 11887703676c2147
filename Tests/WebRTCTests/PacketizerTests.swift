import RandomSource
import Testing

@testable import WebRTC

@Suite struct PacketizerTests {
    private static let sets: [[UInt8]] = [[0x67, 0x42, 0xE0, 0x1F], [0x68, 0xCE]]

    @Test("any access unit comes whole out of its payloads, none longer than it may be")
    func roundTrip() {
        var random = SeededGenerator(seed: 6184)
        for _ in 0..<400 {
            let most = Int.random(in: 20...1_200, using: &random)
            let units = (0..<Int.random(in: 1...8, using: &random)).map { _ -> [UInt8] in
                let type = [1, 5, 6, 7, 8, 14].randomElement(using: &random) ?? 1
                let count = Int.random(in: 0...(Bool.random(using: &random) ? 40 : 5_000), using: &random)
                return [UInt8(type) | 0x60] + (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
            }
            let payloads = Self.cut(units, max: most)
            #expect(payloads.allSatisfy { (1...most).contains($0.bytes.count) })
            #expect(payloads.map(\.isLast) == payloads.indices.map { $0 == payloads.count - 1 })
            #expect(Self.joined(payloads.map(\.bytes)) == units)
        }
    }

    @Test("a key frame without parameter sets gets them in front, in one payload")
    func parameterSets() {
        let payloads = Self.cut([[0x65, 1, 2]], isKey: true)
        #expect(payloads.map(\.bytes) == [[0x78, 0, 4, 0x67, 0x42, 0xE0, 0x1F, 0, 2, 0x68, 0xCE], [0x65, 1, 2]])
        #expect(payloads.map(\.isLast) == [false, true])
        #expect(Self.cut([[0x65, 1, 2]], isKey: false).map(\.bytes) == [[0x65, 1, 2]])
        let own = Self.cut([[0x67, 9], [0x68, 8], [0x65, 1]], isKey: true).map(\.bytes)
        #expect(own == [[0x78, 0, 2, 0x67, 9, 0, 2, 0x68, 8], [0x65, 1]])
    }

    @Test("fragments say which is the first and which the last (RFC 6184, 5.8)")
    func fragments() {
        let payloads = Self.cut([[0x65, 1, 2, 3, 4, 5, 6, 7]], max: 5).map(\.bytes)
        #expect(payloads == [[0x7C, 0x85, 1, 2, 3], [0x7C, 0x05, 4, 5, 6], [0x7C, 0x45, 7]])
    }

    @Test("delimiters and fillers are left out, and what is damaged at the end")
    func leftOut() {
        #expect(Self.cut([[0x09, 0xF0], [0x41, 1], [0x0C, 0xFF], [0x0B]]).map(\.bytes) == [[0x41, 1]])
        var unit = Self.framed([[0x41, 1]]) + [0, 0, 1, 0, 0x41]
        #expect(Self.cut(framed: unit).map(\.bytes) == [[0x41, 1]])
        unit = [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5]
        #expect(Self.cut(framed: unit).isEmpty && Self.cut(framed: []).isEmpty)
        #expect(Self.cut(framed: [0, 0, 0, 0, 0, 0, 0, 0, 0]).isEmpty)
    }

    private static func framed(_ units: [[UInt8]]) -> [UInt8] {
        units.flatMap { unit in (0..<4).map { UInt8(truncatingIfNeeded: unit.count >> (24 - 8 * $0)) } + unit }
    }

    private static func cut(
        _ units: [[UInt8]], isKey: Bool = false, max: Int = 1_188
    ) -> [(bytes: [UInt8], isLast: Bool)] {
        cut(framed: framed(units), isKey: isKey, max: max)
    }

    private static func cut(
        framed: [UInt8], isKey: Bool = false, max: Int = 1_188
    ) -> [(bytes: [UInt8], isLast: Bool)] {
        var payloads: [(bytes: [UInt8], isLast: Bool)] = []
        framed.withUnsafeBytes {
            H264Packetizer(payloadMax: max).cut($0, isKey: isKey, parameterSets: sets) {
                payloads.append((Array($0), $1))
            }
        }
        return payloads
    }

    /// The units of payloads, as a receiver reads them (RFC 6184, 5.6 to 5.8).
    private static func joined(_ payloads: [[UInt8]]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        for payload in payloads {
            switch payload[0] & 0x1F {
            case 24:
                var place = 1
                while place + 2 <= payload.count {
                    let size = Int(payload[place]) << 8 | Int(payload[place + 1])
                    units.append(Array(payload[(place + 2)..<(place + 2 + size)]))
                    place += 2 + size
                }
            case 28:
                if payload[1] & 0x80 != 0 { units.append([payload[0] & 0xE0 | payload[1] & 0x1F]) }
                units[units.count - 1] += payload[2...]
            default: units.append(payload)
            }
        }
        return units
    }
}
