/// How the light has changed between two pictures: for each brightness, by how much it is now brighter.
///
/// Exposure, gain and gamma change all pixels of one brightness alike, whatever they show. The median in each of 16
/// ranges of brightness sees that change and not the few pixels on which something moves.
struct ToneCurve {
    private static let ranges = 16
    private static let buckets = 512
    private var histogram = [Int32](repeating: 0, count: ranges * buckets)
    /// For each brightness in grey levels the change in sixteenths.
    private(set) var curve = [Int16](repeating: 0, count: 256)

    /// Measures the change from `reference` to `current` on every other pixel of every other row.
    mutating func measure(
        _ reference: UnsafePointer<Int16>, _ current: UnsafePointer<Int16>, width: Int, height: Int
    ) {
        for index in histogram.indices { histogram[index] = 0 }
        histogram.withUnsafeMutableBufferPointer { histogram in
            for y in stride(from: 0, to: height, by: 2) {
                for x in stride(from: y * width, to: (y + 1) * width, by: 2) {
                    let range = Int(reference[x] >> 8) & (ToneCurve.ranges - 1)
                    let bucket = (Int((current[x] &- reference[x]) >> 4) &+ 256) & (ToneCurve.buckets - 1)
                    histogram[range &* ToneCurve.buckets &+ bucket] &+= 1
                }
            }
        }
        let whole = (0..<ToneCurve.buckets).map { bucket in
            (0..<ToneCurve.ranges).reduce(Int32(0)) { $0 + histogram[$1 * ToneCurve.buckets + bucket] }
        }
        let total = whole.reduce(0, +)
        let common = ToneCurve.median(whole[...], total)
        let knots = (0..<ToneCurve.ranges).map { range -> Double in
            let part = histogram[range * ToneCurve.buckets..<(range + 1) * ToneCurve.buckets]
            let count = part.reduce(0, +)
            // A range that few pixels lie in follows the whole picture.
            let trust = count < 16 ? 0 : Double(count) / (Double(count) + 0.005 * Double(total))
            return trust * ToneCurve.median(part, count) + (1 - trust) * common
        }
        for level in 0..<256 {
            let position = min(max((Double(level) - 7.5) / 16, 0), Double(ToneCurve.ranges - 1))
            let low = min(Int(position), ToneCurve.ranges - 2)
            let share = position - Double(low)
            let value = knots[low] * (1 - share) + knots[low + 1] * share
            curve[level] = Int16(max(-4096, min(4096, (value * 16).rounded())))  // within 4096
        }
    }

    /// The middle of the differences in grey levels; within a bucket they are taken as evenly spread.
    private static func median(_ counts: ArraySlice<Int32>, _ total: Int32) -> Double {
        guard total > 0 else { return 0 }
        let half = Double(total) / 2
        var below = 0.0
        for (offset, count) in counts.enumerated() {
            if below + Double(count) >= half {
                // Differences are whole levels wherever the current picture and the reference are: the bucket is centred.
                return Double(offset - 256) + (half - below) / Double(max(count, 1)) - 0.5
            }
            below += Double(count)
        }
        return 0
    }
}
