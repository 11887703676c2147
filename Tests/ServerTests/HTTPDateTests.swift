import Foundation
import Machines
import RandomSource
import Testing

@testable import Server

@Suite("Dates of answers")
struct HTTPDateTests {
    @Test(
        "A date is written as RFC 9110 has it",
        arguments: [
            (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_709_164_800_000, "Thu, 29 Feb 2024 00:00:00 GMT"),
        ] as [(Int64, String)])
    func examples(epochMs: Int64, text: String) { #expect(CivilTime(epochMs: epochMs).httpDate == text) }

    @Test("A date is the one that Foundation writes")
    func random() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var random = SeededGenerator(seed: 9_110)
        for _ in 0..<500 {
            let seconds = Int64(random.next() % 8_000_000_000)
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(CivilTime(epochMs: seconds * 1_000).httpDate == formatter.string(from: date))
        }
    }
}
