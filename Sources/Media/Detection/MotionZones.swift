import Machines

/// A point in the picture: 0,0 is its upper left corner and 1,1 its lower right one.
public struct PicturePoint: Hashable, Sendable, Codable {
    /// From the left, 0…1.
    public var x: Double
    /// From above, 0…1.
    public var y: Double

    /// A point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A part of the picture, bounded by straight lines. Fewer than three corners bound nothing; a line that crosses
/// itself bounds what the even-odd rule says.
public struct PicturePolygon: Hashable, Sendable, Codable {
    /// The corners in their order; the last is joined to the first.
    var corners: [PicturePoint]

    /// A polygon.
    public init(_ corners: [PicturePoint]) { self.corners = corners }

    /// An upright rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        corners = [
            PicturePoint(x: x, y: y), PicturePoint(x: x + width, y: y), PicturePoint(x: x + width, y: y + height),
            PicturePoint(x: x, y: y + height),
        ]
    }

    /// Whether the point lies inside.
    func contains(_ x: Double, _ y: Double) -> Bool {
        guard var last = corners.last, corners.count >= 3 else { return false }
        var isInside = false
        for corner in corners {
            if (corner.y > y) != (last.y > y), x < (last.x - corner.x) * (y - corner.y) / (last.y - corner.y) + corner.x
            {
                isInside.toggle()
            }
            last = corner
        }
        return isInside
    }
}

/// Where motion counts: the camera's zones in their order (31 at most, the rest is left out), and what is masked.
public struct MotionZones: Hashable, Sendable, Codable {
    /// The most zones that a camera can have.
    static let countMax = 31

    /// The zones; what lies in none of them is the null zone.
    public var zones: [PicturePolygon]
    /// Where nothing counts, whatever zone it lies in.
    public var masks: [PicturePolygon]

    /// Zones and masks; without any the whole picture is the null zone.
    public init(zones: [PicturePolygon] = [], masks: [PicturePolygon] = []) {
        self.zones = Array(zones.prefix(MotionZones.countMax))
        self.masks = masks
    }
}

/// The zones laid over the cells of a field.
struct CellZones: Sendable {
    /// Samples across a cell for measuring how much of it a polygon covers.
    private static let samples = 4

    let columns: Int
    let rows: Int
    /// For each cell the zones that it belongs to; nil where it is masked.
    let cells: [Zones?]
    /// Every zone that some cell belongs to.
    let all: Zones

    /// A cell belongs to a zone, or is masked, when half of it is. A zone that covers half of no cell gets the one that it
    /// covers most.
    init(_ zones: MotionZones, columns: Int, rows: Int, cellWidth: Double, cellHeight: Double) {
        self.columns = columns
        self.rows = rows
        func cover(_ polygon: PicturePolygon) -> [Double] {
            (0..<columns * rows).map { index in
                let (column, row) = (Double(index % columns), Double(index / columns))
                var hits = 0
                for sample in 0..<CellZones.samples * CellZones.samples {
                    let u = (Double(sample % CellZones.samples) + 0.5) / Double(CellZones.samples)
                    let v = (Double(sample / CellZones.samples) + 0.5) / Double(CellZones.samples)
                    if polygon.contains((column + u) * cellWidth, (row + v) * cellHeight) { hits += 1 }
                }
                return Double(hits) / Double(CellZones.samples * CellZones.samples)
            }
        }
        var inside = [UInt32](repeating: 0, count: columns * rows)
        for (bit, zone) in zones.zones.prefix(MotionZones.countMax).enumerated() {
            let shares = cover(zone)
            let most = shares.max() ?? 0
            for index in inside.indices where shares[index] >= 0.5 || (most < 0.5 && most > 0 && shares[index] == most)
            {
                // Less than `countMax`.
                inside[index] |= 1 << UInt32(bit)
            }
        }
        var isMasked = [Bool](repeating: false, count: columns * rows)
        for mask in zones.masks {
            for (index, share) in cover(mask).enumerated() where share >= 0.5 { isMasked[index] = true }
        }
        cells = inside.indices.map { isMasked[$0] ? nil : Zones(inside: inside[$0], outside: inside[$0] == 0) }
        all = cells.reduce(into: Zones(inside: 0, outside: false)) { all, cell in
            guard let cell else { return }
            all.inside |= cell.inside
            if cell.outside { all.outside = true }
        }
    }
}
