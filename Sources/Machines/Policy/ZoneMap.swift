/// A camera's zones and masks on a grid of cells over its frame: which zones a movement lies in, as ``Zones``.
///
/// A cell belongs to the zones that hold its middle, so zones that share an outline share no cell. A zone too thin to hold
/// any middle has the cells that its outline passes through; none is without a cell. A mask is laid out in the same way, and
/// what it covers belongs to no zone and not to the outside either: nobody looks there.
public struct ZoneMap: Hashable, Sendable, Codable {
    /// Most zones of one camera: the bits of ``Zones/inside``.
    public static let zoneLimit = 31
    /// Most columns and most rows.
    public static let sideLimit = 4_096

    /// Cells in a row, 1…4096.
    public let columns: Int
    /// Rows, 1…4096.
    public let rows: Int
    /// For each cell, row by row from the top left: bits 0…30 for the zones that have it, bit 31 where none does; 0 where a
    /// mask covers it.
    public let cells: [UInt32]

    private static let outside: UInt32 = 1 << 31

    /// A map of `zones`, numbered in their order (the first 31 count), without what `masks` cover. Sides outside their
    /// range are moved into it.
    public init(columns: Int, rows: Int, zones: [Polygon], masks: [Polygon] = []) {
        let (columns, rows) = (min(max(columns, 1), Self.sideLimit), min(max(rows, 1), Self.sideLimit))
        var cells = [UInt32](repeating: 0, count: columns * rows)
        for (number, zone) in zones.prefix(Self.zoneLimit).enumerated() {
            for cell in Self.cells(of: zone, columns, rows) { cells[cell] |= 1 << UInt32(number) }
        }
        for cell in cells.indices where cells[cell] == 0 { cells[cell] = Self.outside }
        for mask in masks {
            for cell in Self.cells(of: mask, columns, rows) { cells[cell] = 0 }
        }
        self.columns = columns
        self.rows = rows
        self.cells = cells
    }

    /// Whether a mask covers a cell, counted row by row from the top left; true for one that is not on the grid.
    public func isMasked(_ cell: Int) -> Bool { !cells.indices.contains(cell) || cells[cell] == 0 }

    /// Where the movement of these cells lies: one observation, however many zones it touches (T8). Nil where nothing moves
    /// but what is masked.
    public func zones(ofMoving moving: some Sequence<Int>) -> Zones? {
        var touched: UInt32 = 0
        for cell in moving where cells.indices.contains(cell) { touched |= cells[cell] }
        return touched == 0
            ? nil : Zones(inside: touched & ~Self.outside, outside: touched & Self.outside != 0)
    }

    private static func cells(of polygon: Polygon, _ columns: Int, _ rows: Int) -> [Int] {
        guard let across = span(polygon.points.map(\.x), columns), let down = span(polygon.points.map(\.y), rows) else {
            return []
        }
        var found: [Int] = []
        for row in down {
            for column in across
            where polygon.holdsMiddle(ofColumn: column, row: row, columns: columns, rows: rows) {
                found.append(row * columns + column)
            }
        }
        return found.isEmpty ? polygon.outline(columns: columns, rows: rows).sorted() : found
    }

    /// The columns or rows from the least to the greatest of some coordinates.
    private static func span(_ coordinates: [Int], _ count: Int) -> ClosedRange<Int>? {
        guard let low = coordinates.min(), let high = coordinates.max() else { return nil }
        return min(low * count / Point.frame, count - 1)...min(high * count / Point.frame, count - 1)
    }
}
