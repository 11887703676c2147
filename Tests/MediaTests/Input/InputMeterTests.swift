import Machines
import Testing

@testable import Media

@Suite("What a dial may send (H1)")
struct InputMeterTests {
    private func meter(_ change: (inout InputLimits) -> Void = { _ in }) -> InputMeter {
        var limits = InputLimits()
        change(&limits)
        return InputMeter(limits: limits)
    }

    @Test("What cameras send is taken for ever, and a burst after the dial too")
    func usual() throws {
        var maker = FrameMaker()
        var meter = meter()
        for number in 0..<2_000 {
            #expect(meter.take(try maker.frame(isKey: true, arrivalMs: 0, bytes: 1_000)), "burst, frame \(number)")
        }
        // 60 pictures and 100 packets of sound a second, for ten minutes.
        for number in 0..<96_000 {
            guard meter.take(try maker.frame(isKey: true, arrivalMs: Int64(number) * 1_000 / 160, bytes: 100)) else {
                Issue.record("refused: \(meter.excess ?? "")")
                return
            }
        }
        for minute in 0..<60 {
            for _ in 0..<10 { meter.change(at: Instant(ms: Int64(minute) * 60_000)) }
        }
        #expect(meter.excess == nil)
    }

    @Test("A flood of small frames, or of bytes, passes the bound that is named, and nothing is taken after it")
    func floods() throws {
        var maker = FrameMaker()
        var frames = meter()
        var taken = 0
        for number in 0..<60_000
        where frames.take(try maker.frame(isKey: true, arrivalMs: Int64(number / 60), bytes: 1)) {
            taken += 1
        }
        #expect(frames.excess?.contains("frame rate") == true)
        #expect((10_000...11_000).contains(taken))
        #expect(!frames.take(try maker.frame(isKey: true, arrivalMs: 3_600_000)))
        var bytes = meter { $0.byteRateMax = 1 << 20 }
        for number in 0..<100 { _ = bytes.take(try maker.frame(isKey: true, arrivalMs: Int64(number), bytes: 1 << 20)) }
        #expect(bytes.excess == "more than 1 MiB a second over 10 s (byte rate)")
    }

    @Test("Times of arrival that go back or far ahead give no more than a burst")
    func times() throws {
        var maker = FrameMaker()
        var meter = meter()
        var taken = 0
        for number in 0..<30_000 {
            let arrivalMs: Int64 = number.isMultiple(of: 2) ? .max / 4 : .min / 4
            if meter.take(try maker.frame(isKey: true, arrivalMs: arrivalMs / 1_000, bytes: 1)) { taken += 1 }
        }
        #expect(taken <= 20_001)
        #expect(meter.excess != nil)
    }

    @Test("More than so many changes of parameters in a minute are told as such")
    func changes() {
        var meter = meter()
        for number in 0..<20 { meter.change(at: Instant(ms: Int64(number))) }
        #expect(meter.excess == nil)
        meter.change(at: Instant(ms: 59_000))
        #expect(meter.excess == "more than 20 changes of the stream's parameters in a minute (stream changes)")
    }
}
