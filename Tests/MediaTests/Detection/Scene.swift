import RandomSource

@testable import Media

/// A scripted picture, 160 by 96 pixels, five times a second: a textured wall on which things happen. Everything is drawn from
/// a seed, so each run is the same.
struct Scene {
    static let width = 160
    static let height = 96
    /// Standard deviation of the sensor's noise, about, in grey levels.
    var noise = 2.0
    /// Applied to every pixel: gain, then offset.
    var gain = 1.0
    var offset = 0.0
    /// How far the camera is displaced.
    var shake = (x: 0, y: 0)
    /// A textured block's left upper corner; nil when there is none.
    var block: (x: Int, y: Int)?
    var blockSide = 24
    /// How much darker the block is than the wall.
    var blockContrast = 50.0
    /// Bright thin streaks at random places.
    var streaks = 0
    /// A tree in the right third that sways by this many pixels.
    var sway = 0
    /// The same wall seen by infrared light: other brightness for each material, more noise.
    var isInfrared = false
    private var random = SeededGenerator(seed: 1)
    private let wall: [Double]
    private let wallSide = 64
    private let stoneWidth: Int
    private let stoneHeight: Int

    /// A wall of stones of this size; the seed makes their brightness.
    init(seed: UInt64 = 1, stoneWidth: Int = 12, stoneHeight: Int = 9) {
        self.stoneWidth = stoneWidth
        self.stoneHeight = stoneHeight
        var random = SeededGenerator(seed: seed)
        let (columns, rows) = (Scene.width / stoneWidth + 16, Scene.height / stoneHeight + 16)
        wall = (0..<columns * rows).map { _ in 70 + Double(random.next() % 110) }
        self.random = random
    }

    private func stone(_ x: Int, _ y: Int) -> Double {
        let columns = Scene.width / stoneWidth + 16
        let value = wall[
            (y + wallSide) / stoneHeight % (Scene.height / stoneHeight + 16) * columns + (x + wallSide) / stoneWidth
                % columns]
        return isInfrared ? 40 + (value * 7).truncatingRemainder(dividingBy: 150) : value
    }

    /// The picture as it is now.
    mutating func plane() -> LumaPlane {
        var pixels = [Double](repeating: 0, count: Scene.width * Scene.height)
        for y in 0..<Scene.height {
            for x in 0..<Scene.width {
                let isTree = sway != 0 && x > 110
                pixels[y * Scene.width + x] = stone(x + shake.x + (isTree ? sway : 0), y + shake.y)
            }
        }
        if let block {
            for y in max(0, block.y)..<min(Scene.height, block.y + blockSide) {
                for x in max(0, block.x)..<min(Scene.width, block.x + blockSide) {
                    let stripe = (y - block.y) / 4 % 2 == 0 ? 0.0 : 15.0
                    pixels[y * Scene.width + x] = 125 - blockContrast + stripe
                }
            }
        }
        for _ in 0..<streaks {
            let (x, y) = (Int(random.next() % UInt64(Scene.width)), Int(random.next() % UInt64(Scene.height - 9)))
            for step in 0..<8 { pixels[(y + step) * Scene.width + x] += 60 }
        }
        let level = noise * (isInfrared ? 1.5 : 1)
        let bytes = pixels.map { value -> UInt8 in
            let bits = random.next()
            let sum = Double(bits & 0xFFFF) + Double(bits >> 16 & 0xFFFF) + Double(bits >> 32 & 0xFFFF)
            let noise = (sum / 65_535 - 1.5) * 2 * level
            return UInt8(min(255, max(0, (value * gain + offset + noise).rounded())))
        }
        return LumaPlane(width: Scene.width, height: Scene.height, pixels: bytes)
    }
}
