internal import Foundation
internal import Testing

@testable import Server

@Suite("Wall time on the wire")
struct WallTimeTests {
    @Test(
        "known moments are written as RFC 3339 says",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (1_795_255_200_250, "2026-11-21T10:00:00.250Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func known(ms: Int64, text: String) {
        #expect(WallTime(ms: ms).rfc3339 == text)
        #expect(WallTime(rfc3339: text) == WallTime(ms: ms))
    }

    @Test("days of seven centuries agree with Foundation's calendar, and reads back")
    func days() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // From 1600 on: before 1582 Foundation's calendar is the Julian one.
        for day in stride(from: Int64(-135_140), through: 146_097, by: 13) {
            let time = WallTime(ms: day * 86_400_000 + 3_723_004)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            let expected = String(
                format: "%04d-%02d-%02dT01:02:03.004Z", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            #expect(time.rfc3339 == expected)
            #expect(WallTime(rfc3339: expected) == time)
        }
    }

    @Test(
        "offsets, short and long fractions and lower case are read",
        arguments: [
            ("2026-11-21T11:00:00+01:00", 0), ("2026-11-21t04:30:00-05:30", 0), ("2026-11-21 10:00:00.5z", 500),
            ("2026-11-21T10:00:00.123456789Z", 123), ("2026-11-21T09:59:60Z", 0),
        ] as [(String, Int64)])
    func variants(text: String, ms: Int64) {
        #expect(WallTime(rfc3339: text)?.ms == 1_795_255_200_000 + ms)
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", "2026-11-21", "2026-11-21T10:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00+1:00", "2026-11-21T10:00:00Zx", "٢٠٢٦-11-21T10:00:00Z",
            "9999-12-31T23:59:59-01:00", "-026-11-21T10:00:00Z",
        ])
    func refused(text: String) { #expect(WallTime(rfc3339: text) == nil) }

    @Test("numbers outside what can be written are clamped")
    func clamped() {
        #expect(WallTime(ms: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
        #expect(WallTime(ms: .min).rfc3339 == "0000-01-01T00:00:00.000Z")
    }
}
