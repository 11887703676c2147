import RandomSource
import Testing

@testable import WebRTC

@Suite struct PacketizerTests {
    private static let sets: [[UInt8]] = [[0x67, 0x42, 0xE0, 0x1F], [0x68, 0xCE]]
    /// VPS, SPS and PPS of H.265.
    private static let lateSets: [[UInt8]] = [[0x40, 1, 7], [0x42, 1, 8, 9], [0x44, 1, 6]]

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

    @Test("any access unit of H.265 comes whole out of its payloads, none longer than it may be")
    func lateRoundTrip() {
        var random = SeededGenerator(seed: 7_798)
        for _ in 0..<400 {
            let most = Int.random(in: 20...1_200, using: &random)
            let units = (0..<Int.random(in: 1...8, using: &random)).map { _ -> [UInt8] in
                let type = [0, 1, 19, 20, 21, 32, 33, 34, 36, 39, 40].randomElement(using: &random) ?? 1
                let count = Int.random(in: 0...(Bool.random(using: &random) ? 40 : 5_000), using: &random)
                let layers: [UInt8] = [UInt8(type) << 1, UInt8.random(in: 1...7, using: &random)]
                return layers + (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
            }
            let payloads = Self.cut(units, .h265, max: most)
            #expect(payloads.allSatisfy { (1...most).contains($0.bytes.count) })
            #expect(payloads.map(\.isLast) == payloads.indices.map { $0 == payloads.count - 1 })
            #expect(Self.lateJoined(payloads.map(\.bytes)) == units)
        }
    }

    @Test("a key frame of H.265 gets its three parameter sets in front, in one payload (RFC 7798, 4.4.2)")
    func lateParameterSets() {
        let payloads = Self.cut([[0x26, 1, 2]], .h265, isKey: true)
        let sets: [UInt8] = [0x60, 1, 0, 3, 0x40, 1, 7, 0, 4, 0x42, 1, 8, 9, 0, 3, 0x44, 1, 6]
        #expect(payloads.map(\.bytes) == [sets, [0x26, 1, 2]] && payloads.map(\.isLast) == [false, true])
        #expect(Self.cut([[0x26, 1, 2]], .h265).map(\.bytes) == [[0x26, 1, 2]])
        // The lowest layer and temporal layer of all.
        let own = Self.cut([[0x42, 0x0B, 5], [0x44, 2, 6], [0x4E, 3, 4]], .h265, isKey: true).map(\.bytes)
        #expect(own == [[0x60, 2, 0, 3, 0x42, 0x0B, 5, 0, 3, 0x44, 2, 6, 0, 3, 0x4E, 3, 4]])
    }

    @Test("fragments of H.265 say which is the first and which the last (RFC 7798, 4.4.3), and delimiters are left out")
    func lateFragments() {
        let payloads = Self.cut([[0x26, 1, 1, 2, 3, 4, 5, 6, 7]], .h265, max: 6).map(\.bytes)
        #expect(payloads == [[0x62, 1, 0x93, 1, 2, 3], [0x62, 1, 0x13, 4, 5, 6], [0x62, 1, 0x53, 7]])
        let left = Self.cut(
            [[0x46, 1, 0x50], [0x02, 1, 9], [0x4C, 1, 0xFF], [0x60, 1, 3], [0x62, 1, 3], [0x02]], .h265)
        #expect(left.map(\.bytes) == [[0x02, 1, 9]])
    }

    private static func framed(_ units: [[UInt8]]) -> [UInt8] {
        units.flatMap { unit in (0..<4).map { UInt8(truncatingIfNeeded: unit.count >> (24 - 8 * $0)) } + unit }
    }

    private static func cut(
        _ units: [[UInt8]], _ form: VideoForm = .h264, isKey: Bool = false, max: Int = 1_188
    ) -> [(bytes: [UInt8], isLast: Bool)] {
        cut(framed: framed(units), form, isKey: isKey, max: max)
    }

    private static func cut(
        framed: [UInt8], _ form: VideoForm = .h264, isKey: Bool = false, max: Int = 1_188
    ) -> [(bytes: [UInt8], isLast: Bool)] {
        var payloads: [(bytes: [UInt8], isLast: Bool)] = []
        framed.withUnsafeBytes {
            VideoPacketizer(payloadMax: max).cut($0, form, isKey: isKey, parameterSets: form == .h264 ? sets : lateSets)
            {
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

    /// The units of payloads of H.265, as a receiver reads them (RFC 7798, 4.4).
    private static func lateJoined(_ payloads: [[UInt8]]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        for payload in payloads {
            switch payload[0] >> 1 {
            case 48:
                var place = 2
                while place + 2 <= payload.count {
                    let size = Int(payload[place]) << 8 | Int(payload[place + 1])
                    units.append(Array(payload[(place + 2)..<(place + 2 + size)]))
                    place += 2 + size
                }
            case 49:
                if payload[2] & 0x80 != 0 { units.append([payload[0] & 0x81 | (payload[2] & 0x3F) << 1, payload[1]]) }
                units[units.count - 1] += payload[3...]
            default: units.append(payload)
            }
        }
        return units
    }
}
