/// The loops over pixels. Brightness is in sixteenths of a grey level (0…4080) in 16-bit integers, so that one vector
/// instruction handles eight pixels, and the result is the same on every machine.
enum PixelKernels {
    typealias Pixels = UnsafePointer<Int16>
    typealias Target = UnsafeMutablePointer<Int16>

    /// Sixteenths in a grey level.
    static let unit = 16
    /// The brightest value, low enough that background arithmetic (eighths of it) cannot overflow.
    static let maximum: Int16 = 4064
    /// Differences of light beyond this many sixteenths are cut.
    static let differenceMax: Int16 = 640

    /// `plane` moved by (`dx`, `dy`), in sixteenths.
    static func load(_ plane: LumaPlane, dx: Int, dy: Int, into target: Target) {
        let (width, height) = (plane.width, plane.height)
        plane.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<height {
                let row = base + min(max(y + dy, 0), height - 1) * width
                let out = target + y * width
                if dx == 0 {
                    for x in 0..<width { out[x] = Int16(truncatingIfNeeded: row[x]) << 4 }
                } else {
                    for x in 0..<width { out[x] = Int16(truncatingIfNeeded: row[min(max(x + dx, 0), width - 1)]) << 4 }
                }
            }
        }
    }

    /// The reference under the light of the current picture: `reference + curve[reference]`.
    static func relight(_ reference: Pixels, curve: Pixels, count: Int, into target: Target) {
        for index in 0..<count {
            let value = reference[index]
            target[index] = min(max(value &+ curve[Int(value >> 4)], 0), maximum)
        }
    }

    /// What of `current` the relit `reference` does not explain: neither by a change of light that the neighbourhood of
    /// `radius` pixels shares, nor by `texture` (32nds) of that change, by which light and dark come to differ more, nor by any
    /// value within one pixel around. `combine`: keeps the lesser of this and what `target` holds.
    static func residual(
        _ current: Pixels, _ reference: Pixels, width: Int, height: Int, radius: Int, texture: Int16, combine: Bool,
        rows: Target, into target: Target
    ) {
        // Rows of scratch: sums of columns, local light, and twice the least and largest neighbours, with a margin of one.
        let sums = rows
        let light = sums + width
        let least = light + width
        let most = least + width + 2
        let low = most + width + 2
        let high = low + width
        let side = 2 * radius + 1
        let scale = Int32((65_536.0 / Double(side * side)).rounded())  // at most 65,536
        for x in 0..<width { sums[x] = 0 }
        for offset in -radius...radius {
            add(current, reference, row: min(max(offset, 0), height - 1), width, into: sums)
        }
        for y in 0..<height {
            if y > 0 {
                add(current, reference, row: min(y + radius, height - 1), width, into: sums)
                subtract(current, reference, row: max(y - radius - 1, 0), width, from: sums)
            }
            spread(sums, width: width, radius: radius, scale: scale, into: light)
            neighbours(reference, row: y, width: width, height: height, least: least, most: most)
            for x in 0..<width { low[x] = min(min(least[x], least[x + 1]), least[x + 2]) }
            for x in 0..<width { high[x] = max(max(most[x], most[x + 1]), most[x + 2]) }
            let row = current + y * width
            // In place of the extremes: by how much the picture passes them.
            for x in 0..<width { low[x] = low[x] &- row[x] &+ light[x] }
            for x in 0..<width { high[x] = row[x] &- light[x] &- high[x] }
            // At most 640 * 32, which fits.
            for x in 0..<width { light[x] = (max(light[x], 0 &- light[x]) &* texture) >> 5 }
            let out = target + y * width
            if combine {
                for x in 0..<width { out[x] = min(out[x], max(max(low[x], high[x]) &- light[x], 0)) }
            } else {
                for x in 0..<width { out[x] = max(max(low[x], high[x]) &- light[x], 0) }
            }
        }
    }

    /// The least and the largest of the pixels above, at and below each place of a row, with a margin of one that repeats.
    private static func neighbours(
        _ reference: Pixels, row y: Int, width: Int, height: Int, least: Target, most: Target
    ) {
        let middle = reference + y * width
        let above = reference + max(y - 1, 0) * width
        let below = reference + min(y + 1, height - 1) * width
        for x in 0..<width { least[x + 1] = min(min(above[x], middle[x]), below[x]) }
        for x in 0..<width { most[x + 1] = max(max(above[x], middle[x]), below[x]) }
        (least[0], most[0]) = (least[1], most[1])
        (least[width + 1], most[width + 1]) = (least[width], most[width])
    }

    private static func add(_ current: Pixels, _ reference: Pixels, row: Int, _ width: Int, into sums: Target) {
        let (one, other) = (current + row * width, reference + row * width)
        for x in 0..<width { sums[x] = sums[x] &+ min(max(one[x] &- other[x], -differenceMax), differenceMax) }
    }

    private static func subtract(_ current: Pixels, _ reference: Pixels, row: Int, _ width: Int, from sums: Target) {
        let (one, other) = (current + row * width, reference + row * width)
        for x in 0..<width { sums[x] = sums[x] &- min(max(one[x] &- other[x], -differenceMax), differenceMax) }
    }

    /// The mean over a row's windows from the sums of its columns; beyond the edge the last column repeats.
    private static func spread(_ sums: Target, width: Int, radius: Int, scale: Int32, into light: Target) {
        var total: Int32 = 0
        // Sums have 16 bits.
        for offset in -radius...radius { total &+= Int32(sums[min(max(offset, 0), width - 1)]) }
        light[0] = Int16(truncatingIfNeeded: (total &* scale &+ 32_768) >> 16)
        for x in 1..<width {
            // 16 bits each.
            total &+= Int32(sums[min(x &+ radius, width &- 1)]) &- Int32(sums[max(x &- radius &- 1, 0)])
            light[x] = Int16(truncatingIfNeeded: (total &* scale &+ 32_768) >> 16)
        }
    }

    /// For each cell of `side` pixels the mean of `field`, in grey levels, each pixel as the least of itself and its three
    /// neighbours to the right and below (what is one pixel thin vanishes) and at most `limit`.
    static func cellMeans(
        _ field: Pixels, width: Int, height: Int, side: Int, limit: Int16, rows: Target, into means: inout [Float]
    ) {
        let (columns, lines) = (width / side, height / side)
        let scale = 1 / Float(side * side * unit)
        for line in 0..<lines {
            for x in 0..<width { rows[x] = 0 }
            for y in line * side..<(line + 1) * side {
                let upper = field + y * width
                let lower = field + min(y + 1, height - 1) * width
                for x in 0..<width - 1 {
                    let least = min(min(upper[x], upper[x + 1]), min(lower[x], lower[x + 1]))
                    rows[x] = rows[x] &+ min(least, limit)
                }
                rows[width - 1] = rows[width - 1] &+ min(min(upper[width - 1], lower[width - 1]), limit)
            }
            for column in 0..<columns {
                var total: Int32 = 0
                for x in column * side..<(column + 1) * side { total &+= Int32(rows[x]) }  // 16 bits
                means[line * columns + column] = Float(total) * scale
            }
        }
    }

    /// Moves the background (in 128ths of a grey level) to the new light and then towards `current` by `share` (of 256) of
    /// the difference, but at most `step`.
    static func learn(
        _ background: Target, relit: Pixels, current: Pixels, count: Int, lightShare: Int32, share: Int32, step: Int32
    ) {
        for index in 0..<count {
            let old = Int32(background[index])  // 16 bits
            let light = Int32(relit[index])  // 16 bits
            let lit = old &+ ((((light << 3) &- old) &* lightShare) >> 8)
            let change = ((Int32(current[index]) &- light) &* share) >> 5  // 16 bits
            background[index] = Int16(truncatingIfNeeded: min(max(lit &+ min(max(change, -step), step), 0), 32_512))
        }
    }
}
