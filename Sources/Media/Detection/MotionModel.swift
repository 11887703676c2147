import Glibc

/// What is usual in a picture, and what is not: a pure value. The same planes at the same times give the same fields on every
/// machine; it reads no clock and draws no random number.
///
/// In each observation a pixel counts as changed by as much as *both* the learnt background *and* a picture of a
/// moment ago leave unexplained, under a change of light, a displacement of the whole and one of a pixel. Cells of 8 by 8 pixels
/// weigh that against their own history, blobs of them tell less if they look like what is before the lens, and evidence is
/// gathered along tracks through neighbouring cells.
/// docs/design/detection.md has the reasons.
public struct MotionModel: Sendable {
    /// Pixels on a side of a cell.
    static let cellSide = 8
    /// The least side of a plane that can be judged, in pixels.
    static let sideMin = 64
    /// Earlier pictures that are kept.
    private static let historyMax = 4

    private struct Earlier {
        var seconds: Double
        var pixels: [Int16]
    }

    /// The numbers it works with.
    public let parameters: MotionParameters
    private var width = 0
    private var height = 0
    private var field = MotionField(columns: 0, rows: 0, cellWidth: 0, cellHeight: 0)
    /// Observations of this scene.
    private var age = 0
    private var lastSeconds = 0.0
    /// In 128ths of a grey level.
    private var background: [Int16] = []
    private var history: [Earlier] = []
    private var cellMean: [Float] = []
    private var cellDeviation: [Float] = []
    private var lonelyShare = 0.0
    // Working memory, so that an observation allocates nothing large.
    private var current: [Int16] = []
    private var reference: [Int16] = []
    private var relit: [Int16] = []
    private var earlierRelit: [Int16] = []
    private var unexplained: [Int16] = []
    private var scratch: [Int16] = []
    private var cells: [Float] = []
    private var tone = ToneCurve()

    /// A model that knows nothing yet.
    public init(parameters: MotionParameters = MotionParameters()) {
        self.parameters = parameters
        lonelyShare = parameters.lonelyShare
    }

    /// Looks at the picture of media time `seconds`. A picture of another size begins anew; one that is smaller than 64 pixels in
    /// either direction is never judged; times that go back count as a pause, and times that are no numbers are left out.
    mutating func observe(_ plane: LumaPlane, at seconds: Double) -> MotionField {
        guard min(plane.width, plane.height) >= MotionModel.sideMin, seconds.isFinite else { return field }
        if plane.width != width || plane.height != height { begin(plane) }
        let elapsed = seconds - lastSeconds
        let isPaused = age > 0 && (elapsed <= 0 || elapsed > parameters.gapSeconds)
        lastSeconds = seconds
        if isPaused {
            history = []
            clearEvidence()
        }
        guard age > 0 else {
            PixelKernels.load(plane, dx: 0, dy: 0, into: &current)
            startOver(at: seconds)
            return field
        }
        compare(plane, at: seconds)
        let pace = isPaused ? 1 : Float(min(4, max(0.25, elapsed * 5)))
        let isSettled = age > parameters.warmUp
        judge(pace: pace, isSettled: isSettled)
        if field.isNewScene {
            startOver(at: seconds)
            field.isNewScene = true
            return field
        }
        learn(pace: pace)
        remember(at: seconds)
        age += 1
        return field
    }

    private mutating func begin(_ plane: LumaPlane) {
        (width, height) = (plane.width, plane.height)
        let (columns, rows) = (width / MotionModel.cellSide, height / MotionModel.cellSide)
        field = MotionField(
            columns: columns, rows: rows, cellWidth: Double(MotionModel.cellSide) / Double(width),
            cellHeight: Double(MotionModel.cellSide) / Double(height))
        age = 0
        let count = width * height
        background = Array(repeating: 0, count: count)
        current = background
        reference = background
        relit = background
        earlierRelit = background
        unexplained = background
        scratch = Array(repeating: 0, count: 6 * width + 4)
        cells = Array(repeating: 0, count: columns * rows)
        cellMean = cells
        cellDeviation = Array(repeating: 0.6, count: columns * rows)
        lonelyShare = parameters.lonelyShare
    }

    /// Takes the current picture as the whole of what is known about the scene; what is known about noise stays.
    private mutating func startOver(at seconds: Double) {
        for index in background.indices { background[index] = min(current[index], PixelKernels.maximum) << 3 }
        history = []
        clearEvidence()
        remember(at: seconds)
        age = 1
        field.isSettled = false
        field.movingShare = 0
        field.isNewScene = false
    }

    private mutating func clearEvidence() {
        for index in field.evidence.indices { field.evidence[index] = 0 }
    }

    /// Fills `cells` with what is unexplained.
    private mutating func compare(_ plane: LumaPlane, at seconds: Double) {
        let count = width * height
        for index in 0..<count { reference[index] = background[index] >> 3 }
        field.shake = ShakeEstimate.displacement(plane, against: reference, limit: parameters.shakeMax)
        PixelKernels.load(plane, dx: field.shake.x, dy: field.shake.y, into: &current)
        let texture = Int16(min(1, max(0, parameters.lightTexture)) * 32)  // 0…32
        tone.measure(reference, current, width: width, height: height)
        PixelKernels.relight(reference, curve: tone.curve, count: count, into: &relit)
        PixelKernels.residual(
            current, relit, width: width, height: height, radius: parameters.lightRadius, texture: texture,
            combine: false, rows: &scratch, into: &unexplained)
        if let earlier = history.last(where: { seconds - $0.seconds >= parameters.lagSeconds }) ?? history.first {
            tone.measure(earlier.pixels, current, width: width, height: height)
            PixelKernels.relight(earlier.pixels, curve: tone.curve, count: count, into: &earlierRelit)
            PixelKernels.residual(
                current, earlierRelit, width: width, height: height, radius: parameters.lightRadius, texture: texture,
                combine: true, rows: &scratch, into: &unexplained)
        } else {
            for index in 0..<count { unexplained[index] = 0 }
        }
        // Parameters are the program's own: 16 grey levels.
        let limit = Int16(parameters.differenceMax * Double(PixelKernels.unit))
        PixelKernels.cellMeans(
            unexplained, width: width, height: height, side: MotionModel.cellSide, limit: limit, rows: &scratch,
            into: &cells)
    }

    /// Weighs each cell against its history and carries the evidence on.
    private mutating func judge(pace: Float, isSettled: Bool) {
        let floor = Float(parameters.noiseFloor)
        let onset = Float(parameters.cellOnset)
        var gains = [Float](repeating: 0, count: cells.count)
        var strong = 0
        for index in cells.indices {
            let excess = (cells[index] - cellMean[index]) / max(cellDeviation[index], floor)
            if excess > 3 { strong += 1 }
            if excess > onset, cells[index] > Float(parameters.cellFloor) {
                gains[index] = min(excess - onset, Float(parameters.evidenceMax))
            }
        }
        learnNoise(pace: pace)
        field.movingShare = cells.isEmpty ? 0 : Double(strong) / Double(cells.count)
        field.isSettled = isSettled
        field.isNewScene = isSettled && field.movingShare > parameters.sceneShare
        guard isSettled, !field.isNewScene else { return clearEvidence() }
        MotionBlob.weigh(
            &gains, columns: field.columns, rows: field.rows,
            picture: BlobPicture(
                current: current, reference: relit, unexplained: unexplained, width: width, height: height,
                cellSide: MotionModel.cellSide), parameters: parameters)
        carryOn(gains)
    }

    /// Adds what the cells tell to the tracks that lead to them.
    private mutating func carryOn(_ gains: [Float]) {
        let kept = Float(parameters.evidenceKept)
        // A track goes on beyond the next cell only as far as nothing else may have been met there.
        let keptFarther = kept * Float(exp(parameters.chancePlaces * log(1 - min(0.5, lonelyShare))))
        // Where cells move all over without leading on, as in rain, one more of them tells little.
        let weight = Float(weight())
        let earlier = field.evidence
        var lonely: Float = 0
        for index in gains.indices {
            if gains[index] > 0 {
                let next = most(of: earlier, around: index, within: 1) * kept
                if next < Float(parameters.lonelyEvidence) { lonely += gains[index] }
                let farther = most(of: earlier, around: index, within: parameters.reach) * keptFarther
                field.evidence[index] = max(next, farther) + gains[index] * weight
            } else if earlier[index] > 0 {
                field.evidence[index] *= kept / 2
                if field.evidence[index] < 0.01 { field.evidence[index] = 0 }
            }
        }
        let share = Double(lonely) / parameters.evidenceMax / Double(max(1, gains.count))
        lonelyShare = max(1e-4, lonelyShare + parameters.lonelyLearning * (share - lonelyShare))
    }

    /// The largest of the values within `distance` cells of a cell, in either direction.
    private func most(of values: [Float], around index: Int, within distance: Int) -> Float {
        let (column, row) = (index % field.columns, index / field.columns)
        var most: Float = 0
        for y in max(0, row - distance)...min(field.rows - 1, row + distance) {
            for x in max(0, column - distance)...min(field.columns - 1, column + distance) {
                most = max(most, values[y * field.columns + x])
            }
        }
        return most
    }

    /// How much a moving cell tells: the logarithm of how rare it is by chance.
    private func weight() -> Double {
        min(1, max(parameters.weightMin, log(lonelyShare) / log(parameters.lonelyShare)))
    }

    private mutating func learnNoise(pace: Float) {
        let share = age > 8 ? min(0.5, Float(parameters.noiseShare) * pace) : 1 / Float(age + 1)
        let floor = Float(parameters.noiseFloor)
        for index in cells.indices {
            let difference = cells[index] - cellMean[index]
            let limit = Float(parameters.noiseClamp) * max(cellDeviation[index], floor)
            cellMean[index] += share * min(difference, limit)
            // Of a Float it traps for no number.
            cellDeviation[index] += share * (min(abs(difference) * 1.25, limit) - cellDeviation[index])
        }
    }

    private mutating func learn(pace: Float) {
        let usual = parameters.backgroundShare * Double(pace)
        let share = age > 16 ? usual : max(usual, 1 / Double(age + 1))
        let isYoung = age <= parameters.warmUp
        PixelKernels.learn(
            &background, relit: relit, current: current, count: width * height,
            // The pace is 0.25…4, and the parameters are the program's own.
            lightShare: Int32(min(256, 256 * parameters.lightShare * Double(pace))),
            share: Int32(min(256, 256 * share)),  // 0…256
            step: isYoung ? 32_512 : Int32(128 * parameters.backgroundStep * Double(max(1, pace))))
    }

    private mutating func remember(at seconds: Double) {
        if history.count == MotionModel.historyMax {
            // The oldest memory is used again.
            var oldest = history.removeFirst()
            swap(&oldest.pixels, &current)
            oldest.seconds = seconds
            history.append(oldest)
        } else {
            history.append(Earlier(seconds: seconds, pixels: current))
        }
    }
}
