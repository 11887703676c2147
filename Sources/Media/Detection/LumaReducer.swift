import CLibav

/// Makes a small grey plane of a decoded picture: each pixel is the mean of a square of the picture's.
enum LumaReducer {
    /// nil when the picture's form is not understood (anything but 8 to 16 bits of brightness in a plane of its own).
    static func reduce(_ frame: UnsafeMutablePointer<AVFrame>) -> LumaPlane? {
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        let bits = Int(vigil_luma_bits(frame.pointee.format))
        guard width > 0, height > 0, bits >= 8, bits <= 16, let data = frame.pointee.data.0 else { return nil }
        let factor = LumaPlane.reduction(width: width, height: height)
        let (columns, rows) = (width / factor, height / factor)
        guard columns > 0, rows > 0 else { return nil }
        let stride = Int(frame.pointee.linesize.0)
        var plane = LumaPlane(width: columns, height: rows, pixels: [])
        plane.pixels.withUnsafeMutableBufferPointer { target in
            guard let target = target.baseAddress else { return }
            if bits == 8 {
                narrow(data, stride: stride, factor: factor, columns: columns, rows: rows, into: target)
            } else {
                // A stride of libav has 32 bits.
                data.withMemoryRebound(to: UInt16.self, capacity: abs(stride) / 2 * height) { wide in
                    for row in 0..<rows {
                        for column in 0..<columns {
                            var total = 0
                            for y in 0..<factor {
                                let line = wide + (row * factor + y) * (stride / 2) + column * factor
                                for x in 0..<factor { total += Int(line[x]) }
                            }
                            let mean = (total / (factor * factor)) >> (bits - 8)
                            target[row * columns + column] = UInt8(truncatingIfNeeded: mean)
                        }
                    }
                }
            }
        }
        return plane
    }

    private static func narrow(
        _ data: UnsafeMutablePointer<UInt8>, stride: Int, factor: Int, columns: Int, rows: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        let used = columns * factor
        if factor == 1 {
            for row in 0..<rows { (target + row * columns).update(from: data + row * stride, count: columns) }
            return
        }
        // Its square is a 64,000th of the pixels, or 1.
        let half = UInt32(factor * factor / 2)
        // At most 255 * factor² * (65536 / factor² + 1), which fits as long as a picture has less than 2^31 pixels.
        let scale = UInt32(65_536 / (factor * factor) + 1)
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: used) { sums in
            guard let sums = sums.baseAddress else { return }
            for row in 0..<rows {
                let first = data + row * factor * stride
                for x in 0..<used { sums[x] = UInt16(first[x]) }  // a byte
                for y in 1..<max(factor, 1) {
                    let line = first + y * stride
                    for x in 0..<used { sums[x] = sums[x] &+ UInt16(line[x]) }  // a byte
                }
                let out = target + row * columns
                for column in 0..<columns {
                    var total: UInt32 = half
                    // Of 16 bits each.
                    for x in column * factor..<(column + 1) * factor { total &+= UInt32(sums[x]) }
                    out[column] = UInt8(truncatingIfNeeded: min(255, (total &* scale) >> 16))
                }
            }
        }
    }
}
