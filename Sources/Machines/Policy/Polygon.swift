/// A point of the frame, in ten-thousandths of its width from the left and of its height from the top, so that geometry is
/// exact whatever the resolution.
public struct Point: Hashable, Sendable, Codable {
    /// The frame's width and height in these units.
    public static let frame = 10_000

    /// From the left, 0…10 000.
    public let x: Int
    /// From the top, 0…10 000.
    public let y: Int

    /// A point; what lies outside the frame is moved to its edge.
    public init(x: Int, y: Int) {
        self.x = min(max(x, 0), Self.frame)
        self.y = min(max(y, 0), Self.frame)
    }
}

/// An area of the frame, bounded by straight edges from each point to the next and from the last to the first.
public struct Polygon: Hashable, Sendable, Codable {
    /// Why points do not bound one area. Points and edges are counted from 0; edge n begins at point n.
    public enum Flaw: Hashable, Sendable {
        /// Fewer than three points.
        case tooFew
        /// Two points at one place.
        case repeated(Int, Int)
        /// Two edges that are not neighbours meet.
        case crossing(Int, Int)
        /// The outline turns back on itself at a point.
        case folded(Int)
    }

    /// The corners, in order.
    public let points: [Point]

    /// A polygon of these corners, whatever its ``flaw``.
    public init(_ points: [Point]) { self.points = points }

    /// What keeps it from being a simple polygon; nil where it is one. Its inside is told by the even–odd rule otherwise.
    public var flaw: Flaw? {
        guard points.count >= 3 else { return .tooFew }
        for second in points.indices {
            if let first = points[..<second].firstIndex(of: points[second]) { return .repeated(first, second) }
        }
        for second in points.indices {
            for first in 0..<second where !areNeighbours(first, second) && meet(edge(first), edge(second)) {
                return .crossing(first, second)
            }
        }
        for index in points.indices {
            let (before, at) = edge((index + points.count - 1) % points.count)
            let after = edge(index).1
            let along = (at.x - before.x) * (after.x - at.x) + (at.y - before.y) * (after.y - at.y)
            if side(before, at, after) == 0, along < 0 { return .folded(index) }
        }
        return nil
    }

    /// Whether it holds the middle of a cell of a grid over the frame. An outline between two cells' middles counts for one
    /// of two polygons that share it, never for both or none.
    func holdsMiddle(ofColumn column: Int, row: Int, columns: Int, rows: Int) -> Bool {
        // All in units of half a cell, so that nothing is rounded.
        let (x, y) = ((2 * column + 1) * Point.frame, (2 * row + 1) * Point.frame)
        var inside = false
        for index in points.indices {
            let (a, b) = edge(index)
            let (ax, ay) = (a.x * 2 * columns, a.y * 2 * rows)
            let (bx, by) = (b.x * 2 * columns, b.y * 2 * rows)
            guard (ay > y) != (by > y) else { continue }
            let (left, right) = ((x - ax) * (by - ay), (bx - ax) * (y - ay))
            if by > ay ? left < right : left > right { inside.toggle() }
        }
        return inside
    }

    /// The cells that its outline passes through.
    func outline(columns: Int, rows: Int) -> Set<Int> {
        var cells: Set<Int> = []
        for index in points.indices {
            let (a, b) = edge(index)
            // Steps of at most a quarter of a cell.
            let steps = max(1, 4 * (abs(b.x - a.x) * columns + abs(b.y - a.y) * rows) / Point.frame)
            for step in 0...steps {
                let x = a.x + (b.x - a.x) * step / steps
                let y = a.y + (b.y - a.y) * step / steps
                let (column, row) = (min(x * columns / Point.frame, columns - 1), min(y * rows / Point.frame, rows - 1))
                cells.insert(row * columns + column)
            }
        }
        return cells
    }

    private func edge(_ index: Int) -> (Point, Point) { (points[index], points[(index + 1) % points.count]) }

    private func areNeighbours(_ first: Int, _ second: Int) -> Bool {
        second - first <= 1 || (first == 0 && second == points.count - 1)
    }

    /// On which side of the line from `a` to `b` the point lies: positive, negative, or 0 on it.
    private func side(_ a: Point, _ b: Point, _ c: Point) -> Int {
        ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)).signum()
    }

    private func meet(_ left: (Point, Point), _ right: (Point, Point)) -> Bool {
        let sides = (
            side(left.0, left.1, right.0), side(left.0, left.1, right.1), side(right.0, right.1, left.0),
            side(right.0, right.1, left.1)
        )
        if sides.0 != sides.1, sides.2 != sides.3 { return true }
        return sides.0 == 0 && holds(left, right.0) || sides.1 == 0 && holds(left, right.1)
            || sides.2 == 0 && holds(right, left.0) || sides.3 == 0 && holds(right, left.1)
    }

    /// Whether a point on the edge's line lies on the edge.
    private func holds(_ edge: (Point, Point), _ point: Point) -> Bool {
        (min(edge.0.x, edge.1.x)...max(edge.0.x, edge.1.x)).contains(point.x)
            && (min(edge.0.y, edge.1.y)...max(edge.0.y, edge.1.y)).contains(point.y)
    }
}
