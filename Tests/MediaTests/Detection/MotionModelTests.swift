import Machines
import RandomSource
import Testing

@testable import Media

@Suite("The motion model")
struct MotionModelTests {
    /// Plays `seconds` of a scene; `change` sets it up for each picture. Gives the level of each observation.
    private func play(
        _ scene: inout Scene, into model: inout MotionModel, from start: Int = 0, seconds: Int,
        change: (inout Scene, Int) -> Void = { _, _ in }
    ) -> [(level: Sensitivity?, score: Double, box: PictureBox?)] {
        (start..<start + seconds * 5).map { index in
            change(&scene, index - start)
            let field = model.observe(scene.plane(), at: Double(index) / 5)
            let map = CellZones(
                MotionZones(), columns: field.columns, rows: field.rows, cellWidth: field.cellWidth,
                cellHeight: field.cellHeight)
            let verdict = MotionVerdict(field, zones: map, parameters: model.parameters)
            return (verdict.level, verdict.score, verdict.regions.first?.box)
        }
    }

    /// What may happen to a picture without anything moving in it.
    enum Nuisance: String, CaseIterable, Sendable {
        case noise, nightNoise, lightStep, exposure, drift, shaking, rain, tree, infrared, keyPulse, thingLeft

        func apply(_ scene: inout Scene, _ index: Int) {
            switch self {
            case .noise: break
            case .nightNoise:
                scene.noise = 8
                scene.gain = 0.35
            case .lightStep: scene.offset = index / 40 % 2 == 0 ? 0 : 35
            case .exposure: scene.gain = index / 30 % 2 == 0 ? 1 : 0.7
            case .drift: scene.gain = 1 + 0.3 * Double(index % 100) / 100
            case .shaking: scene.shake = (index * 7 % 9 - 4, index * 5 % 5 - 2)
            case .rain: scene.streaks = 40
            case .tree: scene.sway = [0, 2, 5, 7, 5, 3, 1, -2, -4, -3, -1][index % 11]
            case .infrared: scene.isInfrared = index >= 60
            // Each key frame is coarser than what leads up to it.
            case .keyPulse: scene.noise = index % 10 == 0 ? 5 : 2
            case .thingLeft: scene.block = index >= 60 ? (75, 40) : nil
            }
        }
    }

    @Test("stays quiet at", arguments: Nuisance.allCases)
    func quiet(nuisance: Nuisance) {
        var scene = Scene()
        var model = MotionModel()
        // It may learn what is usual for ten seconds.
        _ = play(&scene, into: &model, seconds: 10) { scene, index in
            if nuisance != .infrared, nuisance != .thingLeft { nuisance.apply(&scene, index) }
        }
        let seen = play(&scene, into: &model, from: 50, seconds: 18) { nuisance.apply(&$0, $1) }
        let alarms = seen.filter { $0.level.map { $0 <= .medium } ?? false }.count
        // A thing that appears is motion for the moment that it takes; in heavy rain chance may line up now and then.
        #expect(alarms <= [.thingLeft: 5, .rain: 9][nuisance, default: 0], "\(nuisance): \(alarms) of \(seen.count)")
    }

    @Test("notices what moves, and where, in spite of", arguments: Nuisance.allCases)
    func moving(nuisance: Nuisance) throws {
        var scene = Scene()
        var model = MotionModel()
        if nuisance == .nightNoise { scene.blockContrast = 100 }
        _ = play(&scene, into: &model, seconds: 12) { scene, index in
            if nuisance != .thingLeft { nuisance.apply(&scene, index) }
        }
        let seen = play(&scene, into: &model, from: 60, seconds: 4) { scene, index in
            if nuisance != .thingLeft { nuisance.apply(&scene, index + 60) }
            scene.block = (4 + index * 5, 30)
        }
        let first = try #require(seen.firstIndex { $0.level.map { $0 <= .medium } ?? false })
        #expect(first <= 7, "noticed after \(Double(first) / 5) s")
        let box = try #require(seen[first].box)
        let x = (4 + Double(first) * 5) / 160
        #expect(box.x < x + 0.2 && box.x + box.width > x - 0.1)
        #expect(box.y < 54.0 / 96 && box.y + box.height > 30.0 / 96)
        scene.block = nil
        let after = play(&scene, into: &model, from: 80, seconds: 6) { scene, index in
            if nuisance != .thingLeft { nuisance.apply(&scene, index + 80) }
        }
        #expect(after.dropFirst(8).count { ($0.level ?? .high) <= .medium } <= (nuisance == .rain ? 3 : 0))
    }

    @Test("has ordered sensitivities: what a lower one notices, a higher one notices too")
    func ordered() {
        let parameters = MotionParameters()
        #expect(parameters.lowThreshold >= parameters.mediumThreshold)
        #expect(parameters.mediumThreshold >= parameters.highThreshold)
        // One observation of one cell is never enough, even for the highest.
        #expect(parameters.highThreshold > parameters.evidenceMax)
        // Two are not enough for the middle one.
        #expect(parameters.mediumThreshold > parameters.evidenceMax * (1 + parameters.evidenceKept))
        var field = MotionField(columns: 4, rows: 4, cellWidth: 0.25, cellHeight: 0.25)
        let map = CellZones(
            MotionZones(zones: [PicturePolygon(x: 0, y: 0, width: 0.5, height: 1)]), columns: 4, rows: 4,
            cellWidth: 0.25,
            cellHeight: 0.25)
        var random = SeededGenerator(seed: 5)
        var different = 0
        for _ in 0..<200 {
            for index in field.evidence.indices { field.evidence[index] = Float(random.next() % 180) / 10 }
            let verdict = MotionVerdict(field, zones: map, parameters: parameters)
            for (lower, higher) in zip(verdict.zonesByLevel, verdict.zonesByLevel.dropFirst()) {
                #expect(lower.inside & ~higher.inside == 0 && (!lower.outside || higher.outside))
                different += lower.inside != higher.inside || lower.outside != higher.outside ? 1 : 0
            }
        }
        #expect(different > 0)
    }

    @Test("gives the same for the same, whatever came before in another copy")
    func repeatable() {
        var scene = Scene()
        var model = MotionModel()
        _ = play(&scene, into: &model, seconds: 5)
        var (sceneCopy, modelCopy) = (scene, model)
        let one = play(&scene, into: &model, from: 25, seconds: 4) { $0.block = ($1 * 5, 30) }
        let other = play(&sceneCopy, into: &modelCopy, from: 25, seconds: 4) { $0.block = ($1 * 5, 30) }
        #expect(one.map(\.score) == other.map(\.score) && one.contains { $0.level != nil })
    }

    @Test("takes any size and any time without harm")
    func hostile() {
        var model = MotionModel()
        var random = SeededGenerator(seed: 3)
        for index in 0..<60 {
            let (width, height) = (Int(random.next() % 200), Int(random.next() % 200))
            let plane = LumaPlane(
                width: width, height: height, pixels: (0..<width * height).map { UInt8(truncatingIfNeeded: $0 * index) }
            )
            let time = [Double(index), -Double(index), 1e12, .infinity, .nan][index % 5]
            let field = model.observe(plane, at: time)
            #expect(field.evidence.count == field.columns * field.rows)
            _ = model.observe(plane, at: time)
        }
    }
}
