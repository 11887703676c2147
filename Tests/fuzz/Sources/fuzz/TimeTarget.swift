import Machines

@testable import Media
@testable import Policies
@testable import Trace
@testable import Wire

/// Times, durations, sizes, days and addresses as people and programs write them: what is printed is read back.
enum TimeTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let (first, second): (Int64, Int64) = (feed.number(), feed.number())
        let scale: UInt32 = feed.number()
        texts(feed.text())
        wall(first)
        if let days = UTCDay(UTCDay(wallMs: first).description) {
            hold(days == UTCDay(wallMs: first), "a day is read back")
            hold(days.beginMs < days.endMs, "a day has an end")
        } else {
            hold(first < -62_135_596_800_000 || first > 253_402_300_799_999, "a day within the years can be read back")
        }
        let ticks = Ticks.rescale(first, from: scale, to: UInt32(truncatingIfNeeded: second))
        hold(scale == 0 || first == 0 || ticks == 0 || (ticks < 0) == (first < 0), "a time keeps its sign")
        _ = Ticks.milliseconds(UInt64(bitPattern: first), timescale: scale)
        if (0...4_000_000_000_000).contains(first) {
            let ms = WallClock(unixMs: first).unixMs
            hold(ms == first || first > 4_233_600_000_000 - 10_000, "NTP keeps \(first): \(ms)")
        }
        _ = WallClock(ntp: UInt64(bitPattern: second)).unixMs
    }

    private static func wall(_ ms: Int64) {
        let time = WallTime(ms: ms)
        hold(WallTime(rfc3339: time.rfc3339) == time, "\(time.rfc3339) is read back")
        let duration = min(max(0, ms), DurationText.maxMs) / 1_000 * 1_000
        hold(
            duration == 0 || DurationText.milliseconds(DurationText.text(milliseconds: duration)) == duration,
            "\(DurationText.text(milliseconds: duration)) is read back as it was")
        _ = DurationText.text(milliseconds: ms)
        let size = min(max(0, ms), SizeText.maxBytes) / 1_000 * 1_000
        if let read = SizeText.bytes(SizeText.text(bytes: size)) {
            hold(abs(read - size) <= max(size / 10, 1_000), "\(SizeText.text(bytes: size)) is about \(size)")
        } else {
            hold(size == 0, "\(SizeText.text(bytes: size)) is read back")
        }
        _ = SizeText.text(bytes: ms)
    }

    private static func texts(_ text: String) {
        if let time = WallTime(rfc3339: text) {
            hold(WallTime(rfc3339: time.rfc3339) == time, "\(time.rfc3339) is read back")
        }
        if let ms = DurationText.milliseconds(text) {
            hold((0...DurationText.maxMs).contains(ms), "\(ms) ms")
            hold(
                ms == 0 || DurationText.milliseconds(DurationText.text(milliseconds: ms)) == ms,
                "\(ms) ms are read back")
        }
        if let bytes = SizeText.bytes(text) {
            hold((0...SizeText.maxBytes + 1 << 40).contains(bytes), "\(bytes) bytes")
        }
        if let reserve = try? Reserve.parse(text) { hold(reserve.bytes(ofCapacity: .max) >= 0, "a reserve is a size") }
        if let days = try? DaysText.parse(text) { hold(!days.isEmpty, "days are some") }
        if let minute = try? ClockText.parse(text, midnightEnds: true) {
            hold(
                (try? ClockText.parse(ClockText.text(minute: minute), midnightEnds: true)) == minute,
                "\(minute) is read back")
        }
        if let day = UTCDay(text) { hold(day.description == text, "a day is written as it was read") }
        if let address = try? ListenAddress.parse(text) {
            hold((try? ListenAddress.parse(address.description)) == address, "\(address) is read back")
        }
        if let source = SourceAddress(text) {
            hold(SourceAddress(source.text) == source, "\(source.text) is read back")
            _ = source.redacted
            if case .rtsp(let url) = source, let address = try? RTSPAddress(url) {
                hold(!address.host.isEmpty && address.port > 0, "an address has host and port")
            }
        }
        _ = try? RTSPAddress(text)
    }
}
