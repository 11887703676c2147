import Foundation

@testable import Wire

/// What a request says, as far as our own code reads it: the query of each route, and bodies.
enum HTTPTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        switch feed.byte() % 10 {
        case 0, 1: query(feed.text())
        case 2: body(RecordCommand.self, feed.rest())
        case 3: body(EnableCommand.self, feed.rest())
        case 4: body(ProtectCommand.self, feed.rest())
        case 5: body(PrivacyCommand.self, feed.rest())
        case 6: body(PolicyCheckRequest.self, feed.rest())
        case 7: body(ApplyCommand.self, feed.rest())
        case 8: if let command = body(TriggerCommand.self, feed.rest()) { _ = command.flaw }
        default: if let command = body(SimulateRequest.self, feed.rest()) { _ = command.flaw }
        }
    }

    private static func query(_ text: String) {
        // As the server takes a query apart.
        let pairs = text.split(separator: "&").map { pair -> (String, String) in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.removingPercentEncoding ?? String($0)
            }
            return (halves.first ?? "", halves.count > 1 ? halves[1] : "")
        }
        if let filter = try? Query(pairs, of: ListFilter.parameters).filter() {
            hold((1...ListFilter.pageMax).contains(filter.limit), "a page of \(filter.limit)")
            if let from = filter.from, let to = filter.to { hold(from < to, "an interval has a length") }
        }
        if let query = try? Query(pairs, of: ListFilter.eventParameters), let conditions = try? query.conditions() {
            hold((0...EventConditions.offsetMax).contains(conditions.offset), "an offset of \(conditions.offset)")
            hold(conditions.causes.allSatisfy(EventConditions.causes.contains), "a cause that an event can have")
        }
        if let query = try? Query(pairs, of: ["after", "camera", "priority"]) {
            if let words = try? query.priorities("priority") { hold(!words.isEmpty, "a priority lets something pass") }
            if let names = try? query.names("camera") { hold(!names.isEmpty && !names.contains(""), "names are names") }
        }
        if let (from, to) = try? Query(pairs, of: ["from", "to", "asEvents"]).interval() {
            hold(from < to, "an interval has a length")
        }
        if let query = try? Query(pairs, of: ["at", "width", "asEvents", "from"]) {
            if let width = try? query.width("width") {
                hold(SnapshotWidth.range.contains(width), "a width of \(width)")
            }
            _ = try? query.flag("asEvents")
            _ = try? query.time("at")
        }
        if let id = try? Query.id(text, of: "event") { hold(id > 0, "an id of \(id)") }
        // One that only the cloud has is below 0.
        if let id = try? Query.id(text, of: "clip") { hold(id != 0, "an id of \(id)") }
    }
}
