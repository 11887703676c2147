/// The picture in which blobs lie, and what it is compared with: sixteenths of grey levels, row by row.
struct BlobPicture {
    let current: [Int16]
    /// The learnt background under the light of now.
    let reference: [Int16]
    /// By how much each pixel has changed.
    let unexplained: [Int16]
    let width: Int
    let height: Int
    /// Pixels on a side of a cell.
    let cellSide: Int
}

/// A group of neighbouring cells that move, and what it looks like.
///
/// What passes close to the lens of a camera looks different from what is in the scene: an insect, a drop or a spider lit by the
/// camera's own lamp is brighter than the scene and out of focus, and a thread or a streak is a line.
struct MotionBlob {
    private(set) var cells: [Int] = []
    /// By how much its pixels became brighter at most, and darker at most.
    private var brighter: Int16 = 0
    private var darker: Int16 = 0
    /// Twice the steepest slope of the difference from one pixel to the next.
    private var slope: Int16 = 0
    /// Sums over its pixels, each by how much it has changed: 1, x, y, x², y², xy.
    private var sum = 0
    private var sumX = 0
    private var sumY = 0
    private var sumXX = 0
    private var sumYY = 0
    private var sumXY = 0

    /// Lessens what the cells of each blob tell by what it looks like.
    static func weigh(
        _ gains: inout [Float], columns: Int, rows: Int, picture: BlobPicture, parameters: MotionParameters
    ) {
        var isOpen = gains.map { $0 > 0 }
        for seed in isOpen.indices where isOpen[seed] {
            let blob = MotionBlob(seed, of: &isOpen, columns: columns, rows: rows, picture: picture)
            let weight = Float(min(blob.focusWeight(parameters), blob.shapeWeight(parameters)))
            if weight < 1 { for cell in blob.cells { gains[cell] *= weight } }
        }
    }

    /// The blob of the open cells that are joined to `seed`; closes them.
    private init(_ seed: Int, of isOpen: inout [Bool], columns: Int, rows: Int, picture: BlobPicture) {
        cells.append(seed)
        isOpen[seed] = false
        var next = 0
        while next < cells.count {
            let (column, row) = (cells[next] % columns, cells[next] / columns)
            next += 1
            look(column, row, picture)
            for y in max(0, row - 1)...min(rows - 1, row + 1) {
                for x in max(0, column - 1)...min(columns - 1, column + 1) where isOpen[y * columns + x] {
                    isOpen[y * columns + x] = false
                    cells.append(y * columns + x)
                }
            }
        }
    }

    /// Takes the pixels of a cell into account; those at the picture's edge, which lack neighbours, are left out.
    private mutating func look(_ column: Int, _ row: Int, _ picture: BlobPicture) {
        let (width, side) = (picture.width, picture.cellSide)
        for y in max(1, row * side)..<min(picture.height - 1, (row + 1) * side) {
            for x in max(1, column * side)..<min(width - 1, (column + 1) * side) {
                let index = y * width + x
                func difference(_ index: Int) -> Int16 { picture.current[index] &- picture.reference[index] }
                let here = difference(index)
                brighter = max(brighter, here)
                darker = max(darker, 0 &- here)
                let across = difference(index + 1) &- difference(index - 1)
                let down = difference(index + width) &- difference(index - width)
                slope = max(slope, max(max(across, 0 &- across), max(down, 0 &- down)))
                let change = Int(picture.unexplained[index])
                guard change > 0 else { continue }
                // At most about 3 * 10^13 in a plane of 64 000 pixels; wraps far beyond any plane.
                sum &+= change
                sumX &+= change &* x
                sumY &+= change &* y
                sumXX &+= change &* x &* x
                sumYY &+= change &* y &* y
                sumXY &+= change &* x &* y
            }
        }
    }

    /// 1 for what is in focus, or darker than the scene, or faint; 0 for what is bright and out of focus.
    private func focusWeight(_ parameters: MotionParameters) -> Double {
        let contrast = Double(brighter) / Double(PixelKernels.unit)
        guard brighter > darker, contrast >= parameters.focusContrast else { return 1 }
        // Half of the step over two pixels.
        let steepest = Double(slope) / 2 / Double(PixelKernels.unit)
        return MotionBlob.share(
            steepest / min(contrast, parameters.focusContrastMax), from: parameters.focusNone, to: parameters.focusFull)
    }

    /// 1 for what has a width or is short; 0 for a line.
    private func shapeWeight(_ parameters: MotionParameters) -> Double {
        guard sum > 0 else { return 1 }
        let total = Double(sum)
        let (meanX, meanY) = (Double(sumX) / total, Double(sumY) / total)
        let spreadX = Double(sumXX) / total - meanX * meanX
        let spreadY = Double(sumYY) / total - meanY * meanY
        let joint = Double(sumXY) / total - meanX * meanY
        let half = ((spreadX - spreadY) * (spreadX - spreadY) / 4 + joint * joint).squareRoot()
        let (length, width) = ((spreadX + spreadY) / 2 + half, max(0, (spreadX + spreadY) / 2 - half))
        guard length > parameters.lineLength * parameters.lineLength else { return 1 }
        return MotionBlob.share((width / length).squareRoot(), from: parameters.lineNone, to: parameters.lineFull)
    }

    /// Where `value` lies between two bounds, 0…1.
    private static func share(_ value: Double, from low: Double, to high: Double) -> Double {
        high > low ? min(1, max(0, (value - low) / (high - low))) : (value >= high ? 1 : 0)
    }
}
