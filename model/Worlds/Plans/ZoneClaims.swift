internal import Machines
internal import RandomSource

/// What docs/design/rules.md and the interface of the map promise of zones and masks.
enum ZoneClaims {
    static let walks = PlanWalks<ZoneCase>(
        count: 60,
        walk: { random in
            let columns = Int(random.number(1...12)), rows = Int(random.number(1...9))
            var zones: [Polygon] = []
            var masks: [Polygon] = []
            return (0..<8).map { _ in
                if random.once(in: 3) {
                    masks.append(Polygon.random(&random))
                } else {
                    zones.append(Polygon.random(&random))
                }
                if random.once(in: 12) { zones += (0..<30).map { _ in Polygon.random(&random) } }
                if random.once(in: 4), let mask = masks.indices.randomElement(using: &random) { masks.remove(at: mask) }
                let moving = (0..<random.number(0...4)).map { _ in Int(random.number(-2...Int64(columns * rows) + 2)) }
                return ZoneCase(columns: columns, rows: rows, zones: zones, masks: masks, moving: moving)
            }
        }, claims: cells + masks + moving)

    static let cells: [Claim<ZoneCase>] = [
        Claim(
            "T8 a zone has the cells whose middle it holds, and no others",
            when: { one in one.zones.contains(where: one.isWide) }
        ) {
            one in
            one.counted.allSatisfy { number, zone in
                !one.isWide(zone)
                    || one.places.allSatisfy { cell in
                        one.holds(zone, cell).map { $0 == one.has(number, cell, in: one.bare) } ?? true
                    }
            }
        },
        Claim(
            "T8 a zone that holds no middle has the cells of its outline",
            when: { one in one.zones.contains(where: one.isThin) }
        ) {
            one in
            one.counted.allSatisfy { number, zone in
                guard one.isThin(zone) else { return true }
                let touched = one.touched(by: zone)
                return one.places.allSatisfy { cell in
                    let has = one.has(number, cell, in: one.bare)
                    return (has || !touched.contains(cell)) && (!has || one.isNear(zone, cell))
                }
            }
        },
        Claim("T8 no zone is without a cell", when: { !$0.zones.isEmpty }) { one in
            one.counted.allSatisfy { number, _ in one.places.contains { one.has(number, $0, in: one.bare) } }
        },
        Claim("T8 outside is what is in no zone", when: { one in one.bare.cells.contains(1 << 31) }) { one in
            one.bare.cells.allSatisfy { $0 != 0 && ($0 == 1 << 31 || $0 < 1 << 31) }
        },
        Claim("T8 the first 31 zones count", when: { $0.zones.count > ZoneMap.zoneLimit }) { one in
            ZoneMap(
                columns: one.columns, rows: one.rows, zones: Array(one.zones.prefix(ZoneMap.zoneLimit)),
                masks: one.masks)
                == one.map
        },
        Claim("T8 two zones that share an outline share no cell and leave none between them") { one in
            one.halves.allSatisfy { first, second in
                let map = ZoneMap(columns: one.columns, rows: one.rows, zones: [first, second])
                let isWide = one.isWide(first) && one.isWide(second)
                return !isWide || map.cells.allSatisfy { $0 == 1 || $0 == 2 }
            }
        },
        Claim("H8 a map has as many cells as its sides say, whatever they were asked to be") { one in
            let odd = ZoneMap(columns: -one.columns, rows: 5_000, zones: one.zones)
            return one.map.cells.count == one.columns * one.rows && odd.columns == 1 && odd.rows == ZoneMap.sideLimit
                && odd.cells.count == ZoneMap.sideLimit
        },
    ]

    static let masks: [Claim<ZoneCase>] = [
        Claim("T8 a cell whose middle a mask holds is masked", when: { one in one.masks.contains(where: one.isWide) }) {
            one in
            one.places.allSatisfy { cell in
                !one.masks.contains { one.holds($0, cell) == true } || one.map.isMasked(cell)
            }
        },
        Claim("T8 a cell that no mask comes near is as if there were none", when: { !$0.masks.isEmpty }) { one in
            one.places.allSatisfy { cell in
                one.masks.contains { one.holds($0, cell) != false || one.isNear($0, cell) }
                    || one.map.cells[cell] == one.bare.cells[cell]
            }
        },
        Claim(
            "T8 what is masked is in no zone and not outside, and all else as without masks",
            when: { one in one.places.contains(where: one.map.isMasked) }
        ) { one in
            one.places.allSatisfy { cell in
                one.map.isMasked(cell) ? one.map.cells[cell] == 0 : one.map.cells[cell] == one.bare.cells[cell]
            }
        },
        Claim("T8 a mask of a zone's shape leaves the zone nothing", when: { !$0.zones.isEmpty }) { one in
            let map = ZoneMap(columns: one.columns, rows: one.rows, zones: one.zones, masks: one.zones)
            let limit = min(one.zones.count, ZoneMap.zoneLimit)
            return (0..<limit).allSatisfy { zone in one.places.allSatisfy { !one.has(zone, $0, in: map) } }
        },
        Claim("T8 what is not on the grid is masked") { one in
            [-1, one.columns * one.rows, .max, .min].allSatisfy(one.map.isMasked)
        },
    ]

    static let moving: [Claim<ZoneCase>] = [
        Claim("T8 movement lies in every zone that has one of its cells", when: { !$0.visible.isEmpty }) { one in
            guard let zones = one.map.zones(ofMoving: one.moving) else { return false }
            return (0..<UInt32(31)).allSatisfy { zone in
                (zones.inside & 1 << zone != 0) == one.visible.contains { one.map.cells[$0] & 1 << zone != 0 }
            } && zones.inside < 1 << 31
        },
        Claim("T8 movement lies outside where one of its cells is in no zone", when: { !$0.visible.isEmpty }) { one in
            one.map.zones(ofMoving: one.moving)?.outside
                == one.visible.contains { cell in one.counted.allSatisfy { !one.has($0.offset, cell, in: one.map) } }
        },
        Claim("T8 movement under a mask is none", when: { !$0.moving.isEmpty && $0.visible.isEmpty }) { one in
            one.map.zones(ofMoving: one.moving) == nil
        },
        Claim("T8 in which order cells move does not matter", when: { $0.visible.count > 1 }) { one in
            one.map.zones(ofMoving: one.moving.reversed() + one.moving) == one.map.zones(ofMoving: one.moving)
        },
        Claim(
            "T8 whether a polygon is simple depends neither on where its outline begins nor on its direction",
            when: { !$0.zones.isEmpty }
        ) { one in
            (one.zones + one.zones.map(\.onGrid)).allSatisfy { zone in
                let points = zone.points
                let turned = points.indices.map { Polygon(Array(points[$0...] + points[..<$0])) }
                return Set((turned + [Polygon(points.reversed())]).map { $0.flaw == nil }).count == 1
            }
        },
        Claim("T8 a triangle is simple exactly where it has an area", when: { !$0.zones.isEmpty }) { one in
            one.zones.map(\.onGrid).allSatisfy { zone in
                let triangle = Array(zone.points.prefix(3))
                let (a, b, c) = (triangle[0], triangle[1], triangle[2])
                let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
                return (Polygon(triangle).flaw == nil) == (area != 0)
            }
        },
        Claim("T8 two corners make no polygon", when: { !$0.zones.isEmpty }) { one in
            one.zones.allSatisfy { Polygon(Array($0.points.prefix(2))).flaw == .tooFew }
        },
    ]
}

extension Polygon {
    /// The same on few places, so that corners meet and edges lie on each other.
    fileprivate var onGrid: Polygon {
        Polygon(points.map { Point(x: $0.x / 2_500 * 2_500, y: $0.y / 2_500 * 2_500) })
    }
}

extension ZoneCase {
    /// The zones that count, with their numbers.
    fileprivate var counted: [(offset: Int, element: Polygon)] {
        Array(zones.prefix(ZoneMap.zoneLimit).enumerated())
    }

    /// The moving cells that no mask covers.
    fileprivate var visible: [Int] { moving.filter { places.contains($0) && map.cells[$0] != 0 } }

    /// The whole frame cut in two, by lines through its zones' first corners.
    fileprivate var halves: [(Polygon, Polygon)] {
        let most = Point.frame
        return zones.prefix(4).map { zone in
            let (top, bottom) = (zone.points[0].x, zone.points[1].x)
            let left = [Point(x: 0, y: 0), Point(x: top, y: 0), Point(x: bottom, y: most), Point(x: 0, y: most)]
            let right = [
                Point(x: top, y: 0), Point(x: most, y: 0), Point(x: most, y: most), Point(x: bottom, y: most),
            ]
            return (Polygon(left), Polygon(right))
        }
    }
}
