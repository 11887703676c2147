internal import Machines
internal import RandomSource

/// A camera's zones and masks on a grid, and an oracle that knows nothing of the map: it looks at single points of the picture.
struct ZoneCase: Sendable, CustomStringConvertible {
    let columns: Int
    let rows: Int
    let zones: [Polygon]
    let masks: [Polygon]
    let map: ZoneMap
    /// Without the masks.
    let bare: ZoneMap
    /// Cells in which something moves; some are not on the grid.
    let moving: [Int]

    init(columns: Int, rows: Int, zones: [Polygon], masks: [Polygon], moving: [Int]) {
        (self.columns, self.rows, self.zones, self.masks, self.moving) = (columns, rows, zones, masks, moving)
        map = ZoneMap(columns: columns, rows: rows, zones: zones, masks: masks)
        bare = ZoneMap(columns: columns, rows: rows, zones: zones)
    }

    var description: String {
        "\(columns)x\(rows)\nzones: \(zones.map(\.text))\nmasks: \(masks.map(\.text))\ncells: \(map.cells)\nmoving: \(moving)"
    }

    var places: Range<Int> { 0..<columns * rows }

    /// The middle of a cell, in units of which the frame has 10 000 for each column and row, twice.
    func middle(_ cell: Int) -> (x: Int, y: Int) {
        ((2 * (cell % columns) + 1) * Point.frame, (2 * (cell / columns) + 1) * Point.frame)
    }

    /// The corners of a polygon in the same units.
    func corners(_ polygon: Polygon) -> [(x: Int, y: Int)] {
        polygon.points.map { ($0.x * 2 * columns, $0.y * 2 * rows) }
    }

    /// Whether the middle lies inside: nil if it lies on the outline, where the page leaves it open.
    func holds(_ polygon: Polygon, _ cell: Int) -> Bool? {
        let (x, y) = middle(cell)
        let corners = corners(polygon)
        var crossings = 0
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            let turn = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
            if turn == 0, min(a.x, b.x) <= x, x <= max(a.x, b.x), min(a.y, b.y) <= y, y <= max(a.y, b.y) { return nil }
            // A ray that goes straight up; the edge counts where it passes over the middle's column.
            if (a.x <= x) != (b.x <= x), (b.x > a.x) == (turn < 0) { crossings += 1 }
        }
        return !crossings.isMultiple(of: 2)
    }

    /// It holds no middle, and none lies on its outline.
    func isThin(_ polygon: Polygon) -> Bool { places.allSatisfy { holds(polygon, $0) == false } }
    /// It holds a middle for sure.
    func isWide(_ polygon: Polygon) -> Bool { places.contains { holds(polygon, $0) == true } }

    /// The cells that the outline surely passes through: a corner lies in it, or the map's steps of a quarter of a cell cannot miss
    /// what of an edge does. It is looked at in sixty-fourths of each edge.
    func touched(by polygon: Polygon) -> Set<Int> {
        var cells: Set<Int> = []
        let corners = corners(polygon)
        let side = 2 * Point.frame * 64
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            var parts: [Int: Int] = [:]
            for part in 0...64 {
                let (x, y) = (a.x * (64 - part) + b.x * part, a.y * (64 - part) + b.y * part)
                guard x % side != 0, y % side != 0 else { continue }
                parts[y / side * columns + x / side, default: 0] += 1
                if part == 0 { cells.insert(y / side * columns + x / side) }
            }
            let length = abs(b.x - a.x) + abs(b.y - a.y)
            for (cell, count) in parts where (count - 1) * length * 10 >= side * 6 { cells.insert(cell) }
        }
        return cells
    }

    /// Whether the outline comes near a cell at all: the cell, its edges included, overlaps the box around some edge of it.
    func isNear(_ polygon: Polygon, _ cell: Int) -> Bool {
        let (x, y) = middle(cell)
        let corners = corners(polygon)
        return zip(corners, corners.dropFirst() + corners.prefix(1)).contains { a, b in
            min(a.x, b.x) <= x + Point.frame && max(a.x, b.x) >= x - Point.frame && min(a.y, b.y) <= y + Point.frame
                && max(a.y, b.y) >= y - Point.frame
        }
    }

    /// Whether a zone, by its number, has a cell.
    func has(_ zone: Int, _ cell: Int, in map: ZoneMap) -> Bool { map.cells[cell] & 1 << UInt32(zone) != 0 }
}

extension Polygon {
    fileprivate var text: String { points.map { "\($0.x),\($0.y)" }.joined(separator: " ") }

    /// A polygon of some corners anywhere, perhaps crossing itself; one in three is a sliver.
    static func random(_ random: inout SeededGenerator) -> Polygon {
        let x = random.number(0...9_999), y = random.number(0...9_999)
        let reach = random.once(in: 3) ? Int64(120) : 10_000
        return Polygon(
            (0..<random.number(3...6)).map { _ in
                Point(x: Int(x + random.number(-reach...reach)), y: Int(y + random.number(-reach...reach)))
            })
    }
}
