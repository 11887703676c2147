import Glibc
import RandomSource

@testable import Media

/// A scripted night as a camera with an infrared lamp sees it: 320 by 184 pixels, five times a second, dim rough ground with
/// grainy noise, and before it what a test wants. Everything is drawn from a seed, so each run is the same.
struct Night {
    static let width = 320
    static let height = 184
    private var random = SeededGenerator(seed: 11)
    private let ground: [Float]
    private var picture: [Float]

    init() {
        var random = SeededGenerator(seed: 4)
        ground = (0..<Night.width * Night.height).map { _ in 38 + Float(random.next() % 14) }
        picture = ground
    }

    /// A number of 0…1 of this night's own.
    mutating func chance() -> Float { Float(random.next() % 10_000) / 10_000 }

    /// A disc that covers what is behind it; `rim` is how many pixels its edge takes: about 1 in focus, many out of focus.
    mutating func disc(x: Float, y: Float, radius: Float, rim: Float, brightness: Float, stretch: Float = 1) {
        let (wide, tall) = (radius * stretch + rim + 1, radius + rim + 1)
        let (top, bottom) = (max(0, Int(y - tall)), min(Night.height - 1, Int(y + tall)))
        let (left, right) = (max(0, Int(x - wide)), min(Night.width - 1, Int(x + wide)))
        guard top <= bottom, left <= right else { return }
        for row in top...bottom {
            for column in left...right {
                let (dx, dy) = ((Float(column) - x) / stretch, Float(row) - y)
                let cover = min(1, max(0, (radius + rim / 2 - (dx * dx + dy * dy).squareRoot()) / rim))
                picture[row * Night.width + column] += cover * (brightness - picture[row * Night.width + column])
            }
        }
    }

    /// A line of light from one point to another, `thick` pixels wide and soft.
    mutating func line(from: (x: Float, y: Float), to: (x: Float, y: Float), thick: Float, brightness: Float) {
        let steps = Int(max(abs(to.x - from.x), abs(to.y - from.y)))
        for step in 0...max(1, steps) {
            let share = Float(step) / Float(max(1, steps))
            disc(
                x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y), radius: thick / 2, rim: 1.5,
                brightness: brightness)
        }
    }

    /// Light that multiplies the brightness of what it falls on, between two edges that are 30 pixels soft.
    mutating func light(from left: Float, width: Float, by gain: Float) {
        for index in picture.indices {
            let x = Float(index % Night.width)
            let share = min(1, max(0, min(x - left, left + width - x) / 30 + 0.5))
            picture[index] *= 1 + share * (gain - 1)
        }
    }

    /// Somebody upright of this many pixels whose feet are at (x, y), and whose legs swing.
    mutating func walker(x: Float, y: Float, tall: Float, brightness: Float, step: Int) {
        let swing = tall * 0.12 * sin(Float(step) * 1.3)
        for side: Float in [-1, 1] {
            line(from: (x, y - tall * 0.45), to: (x + side * swing, y), thick: tall * 0.1, brightness: brightness)
        }
        disc(x: x, y: y - tall * 0.62, radius: tall * 0.22, rim: 1, brightness: brightness, stretch: 0.6)
        disc(x: x, y: y - tall * 0.91, radius: tall * 0.08, rim: 1, brightness: brightness)
    }

    /// The picture with what was drawn since the last one; the next begins with the ground alone.
    mutating func plane() -> LumaPlane {
        defer { picture = ground }
        var bytes = [UInt8](repeating: 0, count: picture.count)
        for index in picture.indices {
            let bits = random.next()
            let sum = Float(bits & 0xFFFF) + Float(bits >> 16 & 0xFFFF) + Float(bits >> 32 & 0xFFFF)
            bytes[index] = UInt8(min(255, max(0, picture[index] + (sum / 65_535 - 1.5) * 5)))
        }
        return LumaPlane(width: Night.width, height: Night.height, pixels: bytes)
    }
}
