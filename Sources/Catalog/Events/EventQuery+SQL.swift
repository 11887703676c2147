import GRDB
import Machines

extension EventQuery {
    /// The statement of the page. Those that nobody has seen are found by their own table, so that a page of them costs the same
    /// however many were seen.
    var sql: (String, StatementArguments) {
        let table = isUnseen ? "u" : "event"
        let (began, id, camera) = ("\(table).began_wall_ms", isUnseen ? "u.event" : "event.id", "\(table).camera")
        var terms = ["1"]
        var arguments: [(any DatabaseValueConvertible)?] = []
        func isOne(_ column: String, of values: [some DatabaseValueConvertible]) {
            terms.append("\(column) IN (\(databaseQuestionMarks(count: values.count)))")
            arguments += values.map { $0 as (any DatabaseValueConvertible)? }
        }
        if let wanted = self.camera {
            terms.append("\(camera) = ?")
            arguments.append(wanted)
        } else if let cameras {
            isOne(camera, of: cameras)
        }
        if let fromWallMs {
            terms.append("\(began) >= ?")
            arguments.append(fromWallMs)
        }
        if let toWallMs {
            terms.append("\(began) < ?")
            arguments.append(toWallMs)
        }
        if !levels.isEmpty { isOne("event.level", of: levels.map(\.rawValue)) }
        if !causes.isEmpty { isOne("event.cause", of: causes.map(\.rawValue)) }
        if !zones.isEmpty {
            let line = "char(10) || d.zones || char(10)"
            let any = zones.map { _ in "instr(\(line), char(10) || ? || char(10)) > 0" }.joined(separator: " OR ")
            terms.append("EXISTS (SELECT 1 FROM event_detail d WHERE d.event = \(id) AND (\(any)))")
            arguments += zones.map { $0 as (any DatabaseValueConvertible)? }
        }
        if let after {
            terms.append("(\(began), \(id)) \(newestFirst ? "<" : ">") (?, ?)")
            arguments += [after.wallMs, after.id.rawValue]
        }
        let direction = newestFirst ? " DESC" : ""
        arguments += [min(max(limit, 1), ClipQuery.limitMax), max(offset, 0)]
        let sql = """
            SELECT \(Catalog.eventColumns)
            FROM \(isUnseen ? "event_unseen u CROSS JOIN event ON event.id = u.event" : "event")
            WHERE \(terms.joined(separator: " AND "))
            ORDER BY \(began)\(direction), \(id)\(direction) LIMIT ? OFFSET ?
            """
        return (sql, StatementArguments(arguments))
    }
}
