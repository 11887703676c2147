import RandomSource
import Testing

@testable import Media

@Suite("The picture's conditions")
struct PictureHealthTests {
    private func play(
        _ health: inout PictureHealth, from start: Int, seconds: Int, plane: () -> LumaPlane
    ) -> [(condition: PictureCondition, holds: Bool, second: Int)] {
        (start..<start + seconds).flatMap { second in
            health.observe(plane(), at: Double(second)).map { ($0.condition, $0.holds, second) }
        }
    }

    @Test("a picture in which not even the noise changes is frozen after half a minute, and alive with the next change")
    func frozen() {
        var health = PictureHealth()
        var scene = Scene()
        #expect(play(&health, from: 0, seconds: 60) { scene.plane() }.isEmpty)
        let still = scene.plane()
        let told = play(&health, from: 60, seconds: 50) { still }
        #expect(told.count == 1 && told.first?.condition == .frozen && told.first?.holds == true)
        #expect((89...92).contains(told.first?.second ?? 0))
        let after = play(&health, from: 110, seconds: 5) { scene.plane() }
        #expect(after.map(\.holds) == [false] && after.first?.second == 110)
    }

    @Test("a picture without detail is covered", arguments: [0.0, 120.0, 240.0])
    func covered(level: Double) {
        var health = PictureHealth()
        var scene = Scene()
        _ = play(&health, from: 0, seconds: 20) { scene.plane() }
        scene.gain = 0
        scene.offset = level
        scene.noise = 0.4
        let told = play(&health, from: 20, seconds: 20) { scene.plane() }.filter { $0.condition != .frozen }
        #expect(told.map(\.condition) == [.covered] && told.first?.holds == true)
        scene = Scene()
        let after = play(&health, from: 40, seconds: 20) { scene.plane() }
        #expect(after.map(\.condition) == [.covered] && after.first?.holds == false)
    }

    @Test("a camera that looks elsewhere was moved, and is back when it looks where it did")
    func moved() {
        var health = PictureHealth()
        var scene = Scene(seed: 1)
        #expect(play(&health, from: 0, seconds: 100) { scene.plane() }.isEmpty)
        var elsewhere = Scene(seed: 77, stoneWidth: 31, stoneHeight: 23)
        let told = play(&health, from: 100, seconds: 30) { elsewhere.plane() }
        #expect(told.map(\.condition) == [.moved] && told.first?.holds == true)
        let after = play(&health, from: 130, seconds: 30) { scene.plane() }
        #expect(after.map(\.condition) == [.moved] && after.first?.holds == false)
    }

    /// A plain room with a few things in it, 320 by 180, displaced by `turn`, and a bright square at `x`.
    private func room(turn: Int = 0, square x: Int, _ random: inout SeededGenerator) -> LumaPlane {
        var pixels = [UInt8](repeating: 126, count: 320 * 180)
        func paint(_ left: Int, _ top: Int, _ width: Int, _ height: Int, _ grey: UInt8) {
            for y in top..<top + height {
                for x in max(0, left)..<max(0, min(320, left + width)) { pixels[y * 320 + x] = grey }
            }
        }
        paint(0, 140, 320, 40, 84)
        paint(20 - turn, 10, 50, 40, 153)
        paint(200 - turn, 20, 70, 30, 112)
        paint(120 - turn, 150, 40, 20, 140)
        paint(x - turn, 80, 40, 40, 235)
        for index in pixels.indices { pixels[index] += UInt8(random.next() % 3) }
        return LumaPlane(width: 320, height: 180, pixels: pixels)
    }

    @Test("something bright that goes to and fro in a plain room is no other view", arguments: [0, 12])
    func plain(rest: Int) {
        var health = PictureHealth()
        var random = SeededGenerator(seed: 1)
        var second = 0
        let told = play(&health, from: 0, seconds: 180) {
            defer { second += 1 }
            // Never again where it was at first.
            let way = second % 7
            return room(square: second <= rest ? 20 : 65 + 60 * min(way, 7 - way), &random)
        }
        #expect(told.isEmpty)
    }

    @Test("a camera in a plain room that is turned by a fifth of the picture was moved")
    func turned() {
        var health = PictureHealth()
        var random = SeededGenerator(seed: 1)
        #expect(play(&health, from: 0, seconds: 60) { room(square: 20, &random) }.isEmpty)
        let told = play(&health, from: 60, seconds: 20) { room(turn: 60, square: 20, &random) }
        #expect(told.map(\.condition) == [.moved] && told.first?.holds == true)
    }

    @Test("light, night and things that pass are none of these")
    func none() {
        var health = PictureHealth()
        var scene = Scene()
        let told = play(&health, from: 0, seconds: 300) {
            scene.gain = scene.gain == 1 ? 0.6 : 1
            scene.block = scene.block.map { (($0.x + 9) % 140, $0.y) } ?? (0, 30)
            scene.blockSide = 45
            return scene.plane()
        }
        #expect(told.isEmpty)
    }
}
