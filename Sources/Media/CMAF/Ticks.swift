/// Conversions between time bases that neither overflow nor trap on foreign numbers.
package enum Ticks {
    /// `ticks` of `from` per second in ticks of `to` per second, rounded to the nearest; saturates.
    package static func rescale(_ ticks: Int64, from: UInt32, to: UInt32) -> Int64 {
        guard from != to else { return ticks }
        guard from > 0 else { return 0 }
        let product = ticks.magnitude.multipliedFullWidth(by: UInt64(to))
        let (low, carry) = product.low.addingReportingOverflow(UInt64(from) / 2)
        let high = product.high + (carry ? 1 : 0)
        guard high < UInt64(from) else { return ticks < 0 ? .min : .max }
        let magnitude = UInt64(from).dividingFullWidth((high, low)).quotient
        let bounded = Int64(clamping: magnitude)
        return ticks < 0 ? -bounded : bounded
    }

    /// `ticks` of `timescale` per second in milliseconds, rounded; saturates.
    package static func milliseconds(_ ticks: UInt64, timescale: UInt32) -> Int64 {
        rescale(Int64(clamping: ticks), from: timescale, to: 1000)
    }
}
