import GRDB

extension Catalog {
    /// How many events of a camera began in each interval between two neighbours of `boundaries` (UTC epoch milliseconds,
    /// ascending).
    public func eventCounts(camera: String, boundaries: [Int64]) throws(CatalogError) -> [Int] {
        var counts = [Int](repeating: 0, count: max(0, boundaries.count - 1))
        guard let first = boundaries.first, let last = boundaries.last, first < last else { return counts }
        return try read { db in
            let begins = try Row.fetchCursor(
                db.cachedStatement(
                    sql: """
                        SELECT began_wall_ms FROM event
                        WHERE camera = ? AND began_wall_ms >= ? AND began_wall_ms < ? ORDER BY began_wall_ms
                        """), arguments: [camera, first, last])
            var day = 0
            while let row = try begins.next() {
                let began: Int64 = try row.value(0)
                while day < counts.count - 1, boundaries[day + 1] <= began { day += 1 }
                counts[day] += 1
            }
            return counts
        }
    }
}
