@testable import Media
@testable import Wire

/// What a player asks for: ranges of bytes, tags, times, months, and the begin of a fragment that is shifted.
enum RangeTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let length: UInt64 = feed.number()
        let field = feed.line()
        switch ByteRange(field, of: length) {
        case .whole, .outside: break
        case .part(let range): hold(!range.isEmpty && range.upperBound <= length, "\(range) of \(length)")
        }
        let tag = EntityTag("a-1")
        hold(!tag.allowsPart(field) || field == tag.field, "a part for \(field)")
        _ = tag.isKnown(field)
        let text = feed.line()
        if let month = CalendarMonth(text) { hold(CalendarMonth("\(month)") == month, "\(month) is read back") }
        let pairs = text.split(separator: "&").map { pair -> (String, String) in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (halves.first ?? "", halves.count > 1 ? halves[1] : "")
        }
        if let query = try? Query(pairs, of: Query.playing), let request = try? query.playing("front") {
            hold(request.to.map { request.from < $0 } ?? request.skipHoles, "a time has a length")
            // What is asked for is understood again, and needs no escaping.
            let again = request.query.dropFirst().split(separator: "&").map { pair -> (String, String) in
                let halves = pair.split(separator: "=", maxSplits: 1).map(String.init)
                return (halves[0], halves.count > 1 ? halves[1] : "")
            }
            hold((try? Query(again, of: Query.playing).playing("front")) == request, "\(request.query) is read back")
            hold(!request.query.contains { "\"<> \\\n".contains($0) }, "\(request.query) needs no escaping")
        }
        if let shift = try? Query(pairs, of: ["shift", "session"]).shift() { hold(shift <= 1 << 60, "a shift") }
        let head = Array(feed.rest())
        if let found = ShiftedTrack.time(in: head) { hold(found.place + 8 <= head.count, "the time lies in the head") }
    }
}
