/// By how many whole pixels a picture is displaced against another: from the mean brightness of its rows and of its
/// columns, which is enough for a mount that shakes and costs next to nothing.
enum ShakeEstimate {
    /// A displacement is believed when it leaves less than this share of the difference that no displacement leaves.
    private static let gain = 0.8
    /// Half the window in which slow changes of brightness along a profile are taken off.
    private static let slowRadius = 15

    /// The displacement of `plane` against `reference` (sixteenths of grey levels), up to `limit` in each direction.
    static func displacement(
        _ plane: LumaPlane, against reference: [Int16], limit: Int
    ) -> (x: Int, y: Int) {
        let (width, height) = (plane.width, plane.height)
        guard limit > 0, width > 4 * limit, height > 4 * limit, reference.count == width * height else { return (0, 0) }
        var columns = (now: [Int32](repeating: 0, count: width), then: [Int32](repeating: 0, count: width))
        var rows = (now: [Int32](repeating: 0, count: height), then: [Int32](repeating: 0, count: height))
        plane.pixels.withUnsafeBufferPointer { pixels in
            reference.withUnsafeBufferPointer { reference in
                for y in 0..<height {
                    var (now, then): (Int32, Int32) = (0, 0)
                    for x in 0..<width {
                        // 8 and 16 bits.
                        let (one, other) = (Int32(pixels[y * width + x]) << 4, Int32(reference[y * width + x]))
                        columns.now[x] &+= one
                        columns.then[x] &+= other
                        now &+= one
                        then &+= other
                    }
                    (rows.now[y], rows.then[y]) = (now, then)
                }
            }
        }
        return (
            best(flattened(columns.now, per: height), flattened(columns.then, per: height), limit),
            best(flattened(rows.now, per: width), flattened(rows.then, per: width), limit)
        )
    }

    private static func flattened(_ profile: [Int32], per count: Int) -> [Double] {
        let last = profile.count - 1
        let values = profile.map { Double($0) / Double(count) }
        var total = (-slowRadius...slowRadius).reduce(0.0) { $0 + values[min(max($1, 0), last)] }
        return values.indices.map { index in
            if index > 0 { total += values[min(index + slowRadius, last)] - values[max(index - slowRadius - 1, 0)] }
            return values[index] - total / Double(2 * slowRadius + 1)
        }
    }

    private static func best(_ now: [Double], _ then: [Double], _ limit: Int) -> Int {
        func difference(_ shift: Int) -> Double {
            // Of Doubles.
            (limit..<now.count - limit).reduce(0.0) { $0 + abs(now[$1] - then[$1 - shift]) }
        }
        let still = difference(0)
        let shifts = (-limit...limit).map { (shift: $0, left: difference($0)) }
        guard let least = shifts.min(by: { $0.left < $1.left }), least.left < gain * still else { return 0 }
        return least.shift
    }
}
