import GRDB
import Machines

extension EventQuery {
    /// The statement of the page. Those that nobody has seen, and else those of one zone, are found by a table of their own, so that a
    /// page of them costs the same however many others there are.
    var sql: (String, StatementArguments) {
        let isOfZone = zones.count == 1 && !isUnseen
        let table = isUnseen ? "u" : isOfZone ? "z" : "event"
        let began = "\(table).began_wall_ms"
        let id = table == "event" ? "event.id" : "\(table).event"
        let camera = "\(table).camera"
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
        if isOfZone {
            isOne("z.zone", of: zones)
        } else if !zones.isEmpty {
            let any = databaseQuestionMarks(count: zones.count)
            terms.append("EXISTS (SELECT 1 FROM event_zone d WHERE d.event = \(id) AND d.zone IN (\(any)))")
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
            FROM \(tables[table] ?? "event")
            WHERE \(terms.joined(separator: " AND "))
            ORDER BY \(began)\(direction), \(id)\(direction) LIMIT ? OFFSET ?
            """
        return (sql, StatementArguments(arguments))
    }

    /// What is read of tables other than the events' own.
    private var tables: [String: String] {
        [
            "u": "event_unseen u CROSS JOIN event ON event.id = u.event",
            "z": "event_zone z CROSS JOIN event ON event.id = z.event",
        ]
    }
}
