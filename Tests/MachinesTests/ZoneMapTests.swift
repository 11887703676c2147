import Testing

@testable import Machines

@Suite("Zones of the picture")
struct ZoneMapTests {
    private func polygon(_ corners: (Double, Double)...) -> Polygon {
        Polygon(corners.map { Point(x: Int($0.0 * 10_000), y: Int($0.1 * 10_000)) })
    }

    private func rectangle(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Polygon {
        polygon((left, top), (right, top), (right, bottom), (left, bottom))
    }

    /// One character a cell: the zone's number, `.` outside, `#` masked.
    private func picture(_ map: ZoneMap) -> [String] {
        (0..<map.rows).map { row in
            (0..<map.columns).map { column in
                let cell = row * map.columns + column
                guard let zones = map.zones(ofMoving: [cell]) else { return "#" }
                return zones.outside ? "." : "\(zones.inside.trailingZeroBitCount)"
            }.joined()
        }
    }

    @Test("Zones, outside and masks on a grid (T8)")
    func grid() {
        let notch = polygon((0, 0), (0.5, 0), (0.5, 1), (0.25, 1), (0.25, 0.5), (0, 0.5))
        let map = ZoneMap(
            columns: 8, rows: 4, zones: [notch, rectangle(0.5, 0, 0.75, 1)], masks: [rectangle(0.75, 0.5, 1, 1)])
        #expect(picture(map) == ["000011..", "000011..", "..0011##", "..0011##"])
        #expect(map.zones(ofMoving: [0, 4, 6]) == Zones(inside: 0b11, outside: true))
        #expect(map.zones(ofMoving: [30, 31, 400, -1]) == nil)
        #expect(map.isMasked(30) && map.isMasked(32) && map.isMasked(-1) && !map.isMasked(6))
        #expect(map.zones(ofMoving: [Int]()) == nil)
    }

    @Test("Two zones that share an outline share every cell between them, wherever the outline runs")
    func partition() {
        for cut in stride(from: 300, to: 10_000, by: 137) {
            let left = Polygon([
                Point(x: 0, y: 0), Point(x: cut, y: 0), Point(x: 10_000 - cut, y: 10_000), Point(x: 0, y: 10_000),
            ])
            let right = Polygon([
                Point(x: cut, y: 0), Point(x: 10_000, y: 0), Point(x: 10_000, y: 10_000),
                Point(x: 10_000 - cut, y: 10_000),
            ])
            let map = ZoneMap(columns: 20, rows: 20, zones: [left, right])
            #expect(map.cells.allSatisfy { $0 == 1 || $0 == 2 }, "cut at \(cut)")
        }
    }

    @Test("A zone too thin to hold the middle of a cell has the cells of its outline")
    func thin() {
        let map = ZoneMap(columns: 10, rows: 10, zones: [polygon((0.01, 0.01), (0.99, 0.03), (0.99, 0.04))])
        #expect(picture(map).first == "0000000000")
        #expect(picture(map).dropFirst().allSatisfy { $0 == ".........." })
        let edge = ZoneMap(columns: 4, rows: 4, zones: [polygon((1, 1), (0.99, 1), (1, 0.99))])
        #expect(picture(edge) == ["....", "....", "....", "...0"])
    }

    @Test("Only the first 31 zones count; sides outside their range and empty outlines do no harm")
    func limits() {
        let whole = rectangle(0, 0, 1, 1)
        let many = ZoneMap(columns: 1, rows: 1, zones: Array(repeating: whole, count: 40))
        #expect(many.zones(ofMoving: [0]) == Zones(inside: .max >> 1, outside: false))
        let odd = ZoneMap(columns: 0, rows: -3, zones: [Polygon([])], masks: [Polygon([Point(x: 1, y: 20_000)])])
        #expect(odd.columns == 1 && odd.rows == 1 && odd.isMasked(0))
        #expect(ZoneMap(columns: 5_000, rows: 1, zones: []).columns == ZoneMap.sideLimit)
    }

    @Test("What keeps corners from bounding one area is named")
    func flaws() {
        #expect(rectangle(0.1, 0.1, 0.9, 0.9).flaw == nil)
        #expect(polygon((0, 0), (1, 0), (1, 1), (0.5, 0.2), (0, 1)).flaw == nil)
        #expect(polygon((0, 0), (1, 0)).flaw == .tooFew)
        #expect(polygon((0, 0), (1, 0), (0, 0), (1, 1)).flaw == .repeated(0, 2))
        #expect(polygon((0, 0), (1, 1), (1, 0), (0, 1)).flaw == .crossing(0, 2))
        // A corner that touches another edge, and one that lies on it.
        #expect(polygon((0, 0), (1, 0), (1, 1), (0.5, 0), (0, 1)).flaw == .crossing(0, 2))
        #expect(polygon((0, 0), (0.5, 0), (1, 0)).flaw == .folded(0))
        #expect(polygon((0, 0), (1, 0), (0.5, 0), (0.5, 1)).flaw == .crossing(0, 2))
    }
}
