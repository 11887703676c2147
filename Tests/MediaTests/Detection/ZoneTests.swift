import Machines
import Testing

@testable import Media

@Suite("Zones of motion")
struct ZoneTests {
    private func verdict(_ zones: MotionZones, moving cells: [Int], evidence: Float = 15) -> MotionVerdict {
        var field = MotionField(columns: 10, rows: 10, cellWidth: 0.1, cellHeight: 0.1)
        for cell in cells { field.evidence[cell] = evidence }
        let map = CellZones(zones, columns: 10, rows: 10, cellWidth: 0.1, cellHeight: 0.1)
        return MotionVerdict(field, zones: map, parameters: MotionParameters())
    }

    private let left = PicturePolygon(x: 0, y: 0, width: 0.5, height: 1)
    private let middle = PicturePolygon(x: 0.3, y: 0.3, width: 0.4, height: 0.4)

    @Test("name every zone in which something moves, and the null zone outside of all")
    func named() {
        let zones = MotionZones(zones: [left, middle])
        #expect(verdict(zones, moving: [0]).zonesByLevel.last == Zones(inside: 0b01, outside: false))
        #expect(verdict(zones, moving: [44]).zonesByLevel.last == Zones(inside: 0b11, outside: false))
        #expect(verdict(zones, moving: [46]).zonesByLevel.last == Zones(inside: 0b10, outside: false))
        #expect(verdict(zones, moving: [99]).zonesByLevel.last == Zones(inside: 0, outside: true))
        #expect(verdict(zones, moving: [0, 99]).zonesByLevel.last == Zones(inside: 0b01, outside: true))
        #expect(verdict(MotionZones(), moving: [5]).zonesByLevel.last == Zones(inside: 0, outside: true))
    }

    @Test("leave out what is masked, in all zones")
    func masked() {
        let zones = MotionZones(zones: [left], masks: [PicturePolygon(x: 0, y: 0, width: 0.2, height: 0.2)])
        #expect(verdict(zones, moving: [0, 1, 10, 11]).level == nil)
        #expect(verdict(zones, moving: [0, 22]).level == .low)
        #expect(verdict(zones, moving: [0, 22]).regions.count == 1)
    }

    @Test("give a zone smaller than a cell the cell that it covers most")
    func small() {
        let zones = MotionZones(zones: [PicturePolygon(x: 0.51, y: 0.51, width: 0.06, height: 0.06)])
        #expect(verdict(zones, moving: [55]).zonesByLevel.last?.inside == 1)
        #expect(verdict(zones, moving: [54, 56, 45, 65]).zonesByLevel.last == Zones(inside: 0, outside: true))
    }

    @Test("follow slanted lines and take nonsense as nothing")
    func shapes() {
        let triangle = PicturePolygon([PicturePoint(x: 0, y: 0), PicturePoint(x: 1, y: 1), PicturePoint(x: 0, y: 1)])
        let zones = MotionZones(zones: [triangle])
        #expect(verdict(zones, moving: [80]).zonesByLevel.last?.inside == 1)
        #expect(verdict(zones, moving: [8]).zonesByLevel.last == Zones(inside: 0, outside: true))
        let line = PicturePolygon([PicturePoint(x: 0, y: 0), PicturePoint(x: .nan, y: 1)])
        #expect(verdict(MotionZones(zones: [line]), moving: [8]).zonesByLevel.last == Zones(inside: 0, outside: true))
        #expect(MotionZones(zones: Array(repeating: left, count: 40)).zones.count == 31)
    }

    @Test("are told for each sensitivity, so that a filter gets the level of its own zones")
    func levels() {
        var field = MotionField(columns: 10, rows: 10, cellWidth: 0.1, cellHeight: 0.1)
        field.evidence[0] = 15
        field.evidence[99] = 8
        let map = CellZones(MotionZones(zones: [left]), columns: 10, rows: 10, cellWidth: 0.1, cellHeight: 0.1)
        let verdict = MotionVerdict(field, zones: map, parameters: MotionParameters())
        let observation = MotionObservation(
            pts: 0, arrival: Instant(ms: 0), keyPts: nil, level: verdict.level, score: verdict.score,
            zonesByLevel: verdict.zonesByLevel, regions: verdict.regions, movingShare: 0, conditions: [])
        #expect(observation.level(in: nil) == .low)
        #expect(observation.level(in: Zones(inside: 1, outside: false)) == .low)
        #expect(observation.level(in: Zones(inside: 0, outside: true)) == .high)
        #expect(observation.level(in: Zones(inside: 2, outside: false)) == nil)
        #expect(observation.regions.map(\.level) == [.low, .high])
    }
}
