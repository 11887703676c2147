import Glibc
import Machines
import Testing

@testable import Media

@Suite("The motion model at night")
struct NightTests {
    /// Plays ten quiet seconds and then `pictures` of what `draw` draws; gives the level of each of these.
    private func play(_ pictures: Int, quiet: Int = 50, draw: (inout Night, Int) -> Void) -> [Sensitivity?] {
        var night = Night()
        var model = MotionModel()
        return (-quiet..<pictures).map { index in
            if index >= 0 { draw(&night, index) }
            let field = model.observe(night.plane(), at: Double(index + quiet) / 5)
            let map = CellZones(
                MotionZones(), columns: field.columns, rows: field.rows, cellWidth: field.cellWidth,
                cellHeight: field.cellHeight)
            return MotionVerdict(field, zones: map, parameters: model.parameters).level
        }.suffix(pictures)
    }

    private func noticed(_ levels: [Sensitivity?], at sensitivity: Sensitivity) -> Int {
        levels.count { $0.map { $0 <= sensitivity } ?? false }
    }

    /// What passes close to the lens, and goes nowhere in the scene.
    enum Nuisance: String, CaseIterable, Sendable {
        case nothing, crossingInsect, lingeringInsect, spider, thread, rain, snow, headlights

        func draw(_ night: inout Night, _ index: Int) {
            let at = Float(index)
            switch self {
            case .nothing: break
            // Two pictures, half the width apart, each second.
            case .crossingInsect:
                guard index % 5 < 2 else { return }
                night.disc(
                    x: 70 + 150 * Float(index % 5), y: 60 + at, radius: 9, rim: 8, brightness: 190, stretch: 1.6)
            // It turns before the lens for two seconds of three.
            case .lingeringInsect:
                guard index % 15 < 10 else { return }
                night.disc(
                    x: 160 + 60 * sin(at * 0.5), y: 90 + 40 * cos(at * 0.7), radius: 10, rim: 9, brightness: 200)
            // Crawls without end.
            case .spider:
                night.disc(
                    x: 20 + 3 * at, y: 80 + 4 * sin(at * 0.8), radius: 14, rim: 13, brightness: 210, stretch: 1.2)
            case .thread:
                let swing = 6 * sin(at * 2.2)
                night.line(from: (10, 5), to: (160 + swing, 80 - swing), thick: 2.5, brightness: 150)
                night.line(from: (160 + swing, 80 - swing), to: (310, 150), thick: 2.5, brightness: 150)
            case .rain:
                for _ in 0..<12 {
                    let (x, y, length) = (night.chance() * 320, night.chance() * 180, 10 + 40 * night.chance())
                    night.line(from: (x, y), to: (x + length / 6, y + length), thick: 2.4, brightness: 75)
                }
            case .snow:
                for _ in 0..<12 {
                    let size = 2 + 3 * night.chance()
                    night.disc(
                        x: night.chance() * 320, y: night.chance() * 180, radius: size, rim: size, brightness: 110)
                }
            // A soft edge of light goes over the ground and makes the light grains of it lighter than the dark ones.
            case .headlights:
                night.light(from: 16 * at - 120, width: 120, by: 1.7)
            }
        }
    }

    @Test("at sensitivity 5 stays quiet at", arguments: Nuisance.allCases)
    func quiet(nuisance: Nuisance) {
        // It may learn what is usual for ten seconds more.
        let levels = play(150) { nuisance.draw(&$0, $1) }.dropFirst(50)
        #expect(noticed(Array(levels), at: .medium) <= 2, "\(nuisance)")
    }

    /// What goes somewhere.
    enum Mover: String, CaseIterable, Sendable {
        case walkerFar, torch, walkerNear, cat, car, cyclist

        /// The least sensitive setting that has to notice it.
        var sensitivity: Sensitivity { self == .walkerNear || self == .car ? .low : self == .cat ? .high : .medium }

        func draw(_ night: inout Night, _ index: Int) {
            let at = Float(index)
            switch self {
            case .walkerFar: night.walker(x: 120 + 1.6 * at, y: 110, tall: 11, brightness: 85, step: index)
            // A spot and its halo; now and then it points away.
            case .torch:
                guard index % 11 < 8 else { return }
                night.disc(x: 120 + 1.6 * at, y: 100, radius: 3, rim: 4, brightness: 90)
                night.disc(x: 120 + 1.6 * at, y: 100, radius: 1.2, rim: 1, brightness: 250)
            case .walkerNear: night.walker(x: 40 + 5 * at, y: 160, tall: 70, brightness: 95, step: index)
            case .cat:
                night.disc(x: 10 + 14 * at, y: 120, radius: 5, rim: 1.5, brightness: 110, stretch: 2.4)
            // Its lamps dazzle: a halo that is out of focus around lamps that are not.
            case .car:
                night.disc(x: 20 + 8 * at, y: 110, radius: 12, rim: 2, brightness: 24, stretch: 2.5)
                night.disc(x: 55 + 8 * at, y: 112, radius: 8, rim: 12, brightness: 170)
                night.disc(x: 55 + 8 * at, y: 112, radius: 3, rim: 1, brightness: 255)
            case .cyclist: night.walker(x: 20 + 9 * at, y: 130, tall: 40, brightness: 100, step: 3 * index)
            }
        }
    }

    @Test("notices", arguments: Mover.allCases)
    func moving(mover: Mover) {
        let levels = play(22) { mover.draw(&$0, $1) }
        #expect(noticed(levels, at: mover.sensitivity) >= 3, "\(mover): \(levels)")
    }

    @Test("notices somebody among", arguments: [Nuisance.crossingInsect, .lingeringInsect, .thread, .rain, .snow])
    func among(nuisance: Nuisance) {
        let levels = play(75) { night, index in
            nuisance.draw(&night, index)
            if index >= 50 {
                night.walker(x: 40 + 4 * Float(index - 50), y: 150, tall: 55, brightness: 105, step: index)
            }
        }
        #expect(noticed(Array(levels.suffix(25)), at: .medium) >= 5, "\(nuisance): \(levels.suffix(25))")
    }

    @Test("takes what is out of focus as motion if it is dark, for the lamp makes nothing near the lens darker")
    func dark() {
        func soft(_ brightness: Float) -> Int {
            let levels = play(30) {
                $0.disc(x: 60 + 5 * Float($1), y: 90, radius: 6, rim: 8, brightness: brightness, stretch: 1.5)
            }
            return noticed(levels, at: .medium)
        }
        #expect(soft(4) >= 3)
        #expect(soft(86) == 0)
    }

    @Test("takes off each difference as much of the change of light around it as it is told")
    func texture() {
        let (width, height) = (40, 40)
        /// What is left at a thing of 4 by 4 pixels that became 30 grey levels brighter while everything became so by `light`.
        func left(light: Int16, texture: Int16) -> Int16 {
            let reference = [Int16](repeating: 800, count: width * height)
            var current = reference.map { $0 + light * 16 }
            for y in 18..<22 { for x in 18..<22 { current[y * width + x] += 480 } }
            var (rows, target) = ([Int16](repeating: 0, count: 6 * width + 4), reference)
            PixelKernels.residual(
                current, reference, width: width, height: height, radius: 8, texture: texture, combine: false,
                rows: &rows, into: &target)
            return target[20 * width + 20]
        }
        // The thing itself is 16 of the 289 pixels of the window: 27 sixteenths, of which an eighth is 3.
        #expect(left(light: 0, texture: 0) - left(light: 0, texture: 4) == 3)
        #expect(left(light: 8, texture: 0) - left(light: 8, texture: 4) == (8 * 16 + 27) / 8)
        #expect(left(light: -8, texture: 0) - left(light: -8, texture: 4) == (8 * 16 - 27) / 8)
        #expect(left(light: 8, texture: 0) == left(light: 0, texture: 0))
    }
}
