import GRDB
import Machines

extension EventQuery {
    /// The table that a page is read from in order.
    private enum Order {
        case events, unseen, zone, label

        /// Where it stands in the statement.
        var tables: String {
            switch self {
            case .events: "event"
            case .unseen: "event_unseen u CROSS JOIN event ON event.id = u.event"
            case .zone: "event_zone z CROSS JOIN event ON event.id = z.event"
            case .label: "event_label l CROSS JOIN event ON event.id = l.event"
            }
        }

        /// Its columns for the event's id, begin and camera.
        var columns: (id: String, began: String, camera: String) {
            switch self {
            case .events: ("event.id", "event.began_wall_ms", "event.camera")
            case .unseen: ("u.event", "u.began_wall_ms", "u.camera")
            case .zone: ("z.event", "z.began_wall_ms", "z.camera")
            case .label: ("l.event", "l.began_wall_ms", "l.camera")
            }
        }
    }

    /// The statement of the page. Those that nobody has seen, and else those with one label or of one zone, are found by a table of
    /// their own, so that a page of them costs the same however many others there are.
    var sql: (String, StatementArguments) {
        let order = isUnseen ? Order.unseen : labels.count == 1 ? .label : zones.count == 1 ? .zone : .events
        let (id, began, camera) = order.columns
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
        if order == .zone {
            isOne("z.zone", of: zones)
        } else if !zones.isEmpty {
            let any = databaseQuestionMarks(count: zones.count)
            terms.append("EXISTS (SELECT 1 FROM event_zone d WHERE d.event = \(id) AND d.zone IN (\(any)))")
            arguments += zones.map { $0 as (any DatabaseValueConvertible)? }
        }
        if order == .label {
            isOne("l.label", of: labels)
        } else if !labels.isEmpty {
            let any = databaseQuestionMarks(count: labels.count)
            terms.append("EXISTS (SELECT 1 FROM event_label e WHERE e.event = \(id) AND e.label IN (\(any)))")
            arguments += labels.map { $0 as (any DatabaseValueConvertible)? }
        }
        if let after {
            terms.append("(\(began), \(id)) \(newestFirst ? "<" : ">") (?, ?)")
            arguments += [after.wallMs, after.id.rawValue]
        }
        let direction = newestFirst ? " DESC" : ""
        arguments += [min(max(limit, 1), ClipQuery.limitMax), max(offset, 0)]
        let sql = """
            SELECT \(Catalog.eventColumns)
            FROM \(order.tables)
            WHERE \(terms.joined(separator: " AND "))
            ORDER BY \(began)\(direction), \(id)\(direction) LIMIT ? OFFSET ?
            """
        return (sql, StatementArguments(arguments))
    }
}
