import CLibav

/// Makes a smaller copy of a decoded picture in YUV 4:2:0: in full range (0…255), as JPEG wants it, or with room at both ends of its
/// values, as video has it.
enum PictureScaler {
    /// The size that a picture gets: as it is meant to be seen (its pixels may not be square), inside of the bounds, even, and
    /// never larger than it is.
    static func size(width: Int, height: Int, aspect: Double, widthMax: Int, heightMax: Int) -> (
        width: Int, height: Int
    ) {
        let (shownWidth, shownHeight) =
            aspect >= 1
            ? (Double(width), Double(height) / aspect) : (Double(width) * aspect, Double(height))
        let scale = min(1, Double(widthMax) / shownWidth, Double(heightMax) / shownHeight)
        func even(_ value: Double) -> Int { max(2, Int(value * scale / 2) * 2) }
        return (even(shownWidth), even(shownHeight))
    }

    /// The size that the shown part of a picture gets.
    static func size(
        of picture: UnsafeMutablePointer<AVFrame>, aspect: Double, rotation: PictureRotation, options: SnapshotOptions
    ) -> (width: Int, height: Int) {
        let region = options.viewport.pixels(
            width: Int(picture.pointee.width), height: Int(picture.pointee.height), rotation: rotation)
        return size(
            width: region.width, height: region.height, aspect: aspect, widthMax: options.widthMax,
            heightMax: options.heightMax)
    }

    /// Fills `target`, a 4:2:0 picture with its buffers, from the part of `source` that is shown, turned. False when the source's form
    /// is not understood.
    static func scale(
        _ source: UnsafeMutablePointer<AVFrame>, into target: UnsafeMutablePointer<AVFrame>, rotation: PictureRotation,
        viewport: PictureViewport = .whole, toFull: Bool = true
    ) -> Bool {
        let format = source.pointee.format
        let bits = Int(vigil_luma_bits(format))
        guard bits >= 8, bits <= 16 else { return false }
        let isFull = vigil_is_full_range(source) != 0
        let planes = Int(vigil_planes(format))
        let region = viewport.pixels(
            width: Int(source.pointee.width), height: Int(source.pointee.height), rotation: rotation)
        for plane in 0..<3 {
            let isColour = plane > 0
            let (shiftX, shiftY) =
                isColour
                ? (Int(vigil_chroma_shift(format, 0)), Int(vigil_chroma_shift(format, 1))) : (0, 0)
            let size = (
                width: ceiling(region.width, shiftX), height: ceiling(region.height, shiftY)
            )
            let wanted = (
                width: ceiling(Int(target.pointee.width), isColour ? 1 : 0),
                height: ceiling(Int(target.pointee.height), isColour ? 1 : 0)
            )
            guard let out = vigil_plane(target, Int32(clamping: plane)) else { return false }
            let outStride = Int(vigil_stride(target, Int32(clamping: plane)))
            guard planes > plane, let data = vigil_plane(source, Int32(clamping: plane)) else {
                // A picture without colour.
                guard isColour else { return false }
                for y in 0..<wanted.height { for x in 0..<wanted.width { out[y * outStride + x] = 128 } }
                continue
            }
            let table = levels(bits: min(bits, 10), isFull: isFull, toFull: toFull, isColour: isColour)
            let stride = Int(vigil_stride(source, Int32(clamping: plane)))
            let begin = (region.y >> shiftY) * stride + (region.x >> shiftX) * (bits == 8 ? 1 : 2)
            resample(
                data + begin, stride: stride, bits: bits, size: size, wanted: wanted, table: table, into: out,
                outStride: outStride)
            if rotation == .half { turn(out, stride: outStride, width: wanted.width, height: wanted.height) }
        }
        return true
    }

    /// Turns a plane by 180°: its last pixel becomes the first.
    private static func turn(_ plane: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int) {
        for row in 0..<height {
            var line = UnsafeMutableBufferPointer(start: plane + row * stride, count: width)
            line.reverse()
        }
        for row in 0..<height / 2 {
            let (upper, lower) = (plane + row * stride, plane + (height - 1 - row) * stride)
            for column in 0..<width { swap(&upper[column], &lower[column]) }
        }
    }

    private static func ceiling(_ value: Int, _ shift: Int) -> Int { (value + (1 << shift) - 1) >> shift }

    /// For each value of at most ten bits the value of eight, in the range that is wanted.
    private static func levels(bits: Int, isFull: Bool, toFull: Bool, isColour: Bool) -> [UInt8] {
        let unit = Double(1 << (bits - 8))
        return (0..<1 << bits).map { value in
            var level = Double(value) / unit
            if toFull, !isFull { level = isColour ? (level - 128) * 255 / 224 + 128 : (level - 16) * 255 / 219 }
            if !toFull, isFull { level = isColour ? (level - 128) * 224 / 255 + 128 : level * 219 / 255 + 16 }
            return UInt8(min(255, max(0, level.rounded())))  // 0…255
        }
    }

    /// Each pixel of the result is the mean of those that it covers.
    private static func resample(
        _ data: UnsafeMutablePointer<UInt8>, stride: Int, bits: Int, size: (width: Int, height: Int),
        wanted: (width: Int, height: Int), table: [UInt8], into out: UnsafeMutablePointer<UInt8>, outStride: Int
    ) {
        if bits == 8, size == wanted {
            for y in 0..<size.height {
                let (from, to) = (data + y * stride, out + y * outStride)
                for x in 0..<size.width { to[x] = table[Int(from[x])] }
            }
            return
        }
        let edges = (0...wanted.width).map { $0 * size.width / wanted.width }
        // Values of more than ten bits are cut to ten before the table.
        let cut = max(0, bits - 10)
        for y in 0..<wanted.height {
            let top = min(y * size.height / wanted.height, size.height - 1)
            let bottom = max(top + 1, (y + 1) * size.height / wanted.height)
            for x in 0..<wanted.width {
                let left = min(edges[x], size.width - 1)
                let right = max(left + 1, edges[x + 1])
                var total = 0
                for row in top..<bottom {
                    let line = data + row * stride
                    if bits == 8 {
                        for column in left..<right { total += Int(line[column]) }
                    } else {
                        for column in left..<right {
                            total += Int(line[2 * column]) | Int(line[2 * column + 1]) << 8
                        }
                    }
                }
                let count = (bottom - top) * (right - left)
                out[y * outStride + x] = table[min(table.count - 1, ((total + count / 2) / count) >> cut)]
            }
        }
    }
}
