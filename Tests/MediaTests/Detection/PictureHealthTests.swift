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
