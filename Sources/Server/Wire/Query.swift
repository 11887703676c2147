internal import Machines

/// What the query of a request says, read strictly: what is not known is refused, so that a misspelt parameter does not widen
/// a listing. Pure: every text gives a value or a refusal.
struct Query {
    private let values: [String: String]

    /// Reads the parameters as they came, already percent-decoded: each name at most once and one of `names`.
    init(_ parameters: some Sequence<(String, String)>, of names: Set<String>) throws(SiteError) {
        var values: [String: String] = [:]
        for (name, value) in parameters {
            guard names.contains(name) else {
                let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
                throw .invalid("unknown parameter \(name)", "known are: \(known)")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .invalid("parameter \(name) occurs twice", "give it once")
            }
        }
        self.values = values
    }

    /// A parameter as it came; nil where it is absent.
    subscript(name: String) -> String? { values[name] }

    /// The width of a picture; nil where it is absent.
    func width(_ name: String) throws(SiteError) -> Int? {
        guard let text = values[name] else { return nil }
        let range = SnapshotWidth.range
        guard let width = Int(text), range.contains(width) else {
            throw .invalid("\(name) is \(text)", "give \(range.lowerBound) to \(range.upperBound) pixels")
        }
        return width
    }

    /// A whole number in a range; nil where it is absent.
    func whole(_ name: String, _ range: ClosedRange<Int>) throws(SiteError) -> Int? {
        guard let text = values[name] else { return nil }
        return try Self.whole(text, of: name, range)
    }

    /// A whole number in a range, of what `name` calls so.
    static func whole(_ text: String, of name: String, _ range: ClosedRange<Int>) throws(SiteError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw .invalid("\(name) is \(text)", "give a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Several names, separated by commas; nil where the parameter is absent.
    func names(_ name: String) throws(SiteError) -> [String]? {
        guard let text = values[name] else { return nil }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= Self.namesMax, !names.contains("") else {
            throw .invalid("\(name) is \(text)", "give 1 to \(Self.namesMax) names, separated by commas")
        }
        return names
    }

    /// Most names of one parameter.
    static let namesMax = 64

    /// The words of that priority and the more urgent ones; nil where the parameter is absent.
    func priorities(_ name: String) throws(SiteError) -> Set<String>? {
        guard let word = values[name] else { return nil }
        guard let place = JournalRecord.priorities.firstIndex(of: word) else {
            throw .invalid("\(name) is \(word)", "give one of: \(JournalRecord.priorities.joined(separator: ", "))")
        }
        return Set(JournalRecord.priorities[...place])
    }

    /// A switch; off where it is absent.
    func flag(_ name: String) throws(SiteError) -> Bool {
        switch values[name] {
        case nil, "false", "0": return false
        case "true", "1": return true
        case let text?: throw .invalid("\(name) is \(text)", "give true or false")
        }
    }

    /// One of a few words; `standard` where it is absent.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ standard: Word) throws(SiteError) -> Word
    {
        guard let text = values[name] else { return standard }
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("\(name) is \(text)", "give one of: \(known)")
        }
        return word
    }

    /// A time; nil where it is absent.
    func time(_ name: String) throws(SiteError) -> WallTime? {
        guard let text = values[name] else { return nil }
        guard let time = WallTime(rfc3339: text) else {
            throw .invalid("\(name) is not an RFC 3339 time: \(text)", "write it like 2026-11-21T10:00:00Z")
        }
        return time
    }

    /// The interval from `from` to `to`, which must both be given.
    func interval() throws(SiteError) -> (from: WallTime, to: WallTime) {
        guard let from = try time("from"), let to = try time("to") else {
            throw .invalid("from or to is missing", "give both as RFC 3339 times")
        }
        guard from < to else { throw .invalid("from is not before to", "swap them") }
        return (from, to)
    }

    /// The filter of a listing.
    func filter() throws(SiteError) -> ListFilter {
        var filter = ListFilter(after: values["after"])
        filter.cameras = try names("camera")
        filter.from = try time("from")
        filter.to = try time("to")
        if let from = filter.from, let to = filter.to, from >= to {
            throw .invalid("from is not before to", "swap them")
        }
        if let text = values["limit"] {
            guard let limit = Int(text), limit == -1 || (1...ListFilter.pageMax).contains(limit) else {
                throw .invalid("limit is \(text)", "give a number from 1 to \(ListFilter.pageMax), or -1 for all")
            }
            filter.isWhole = limit == -1
            filter.limit = filter.isWhole ? ListFilter.pageMax : limit
        }
        if let text = values["order"] {
            guard let order = ListFilter.Order(rawValue: text) else {
                throw .invalid("order is \(text)", "give oldest or newest")
            }
            filter.order = order
        }
        return filter
    }

    /// Which of a camera's clips or events in the cloud are asked for.
    func cloudFilter() throws(SiteError) -> CloudFilter {
        let (from, to) = try interval()
        var filter = CloudFilter(from: from, to: to, isAlone: try flag("alone"))
        filter.order = try word("order", .oldest)
        filter.offset = try whole("offset", 0...Int(Int32.max)) ?? filter.offset
        filter.limit = try whole("limit", 1...ListFilter.pageMax) ?? filter.limit
        return filter
    }

    /// The filter of a listing of the upload queue.
    func uploadFilter() throws(SiteError) -> UploadFilter {
        var filter = UploadFilter(cameras: try names("camera"), after: values["after"])
        if let text = values["clip"] {
            guard let clip = Int64(text), clip > 0 else {
                throw .invalid("clip is \(text)", "give the id of a clip, a number from 1")
            }
            filter.clip = clip
        }
        filter.standings = Set(
            try (names("standing") ?? []).map { text throws(SiteError) in
                guard let standing = UploadFilter.Standing(rawValue: text) else {
                    throw .invalid(
                        "standing is \(text)", "give open, due, failed or over, or several with commas between")
                }
                return standing
            })
        if let limit = try whole("limit", 1...ListFilter.pageMax) { filter.limit = limit }
        return filter
    }

    /// The conditions of a listing of events.
    func conditions() throws(SiteError) -> EventConditions {
        var conditions = EventConditions(isUnseen: try flag("unseen"))
        conditions.levels = try (names("level") ?? []).map { text throws(SiteError) in
            guard let level = Int(text).flatMap(Sensitivity.init) else {
                throw .invalid("level is \(text)", "give 1, 5 or 10, or several separated by commas")
            }
            return level
        }
        conditions.causes = try (names("cause") ?? []).map { text throws(SiteError) in
            guard let cause = ClipCause(rawValue: text), EventConditions.causes.contains(cause) else {
                let known = EventConditions.causes.map(\.rawValue).joined(separator: ", ")
                throw .invalid("cause is \(text)", "give one of: \(known)")
            }
            return cause
        }
        // The part outside every zone has no name; the command line calls it so, too.
        conditions.zones = (try names("zone") ?? []).map { $0 == "outside" ? "" : $0 }
        conditions.labels = try (names("label") ?? []).map { text throws(SiteError) in
            guard LabelName.isValid(text) else {
                throw .invalid(
                    "label is \(text)", "give letters, digits, \"-\" and \"_\", or several separated by commas")
            }
            return text
        }
        if let text = values["offset"] {
            guard let offset = Int(text), (0...EventConditions.offsetMax).contains(offset) else {
                throw .invalid("offset is \(text)", "give a number from 0 to \(EventConditions.offsetMax)")
            }
            guard values["after"] == nil else {
                throw .invalid("offset stands beside after", "give one of them: after says where the page before ended")
            }
            conditions.offset = offset
        }
        return conditions
    }

    /// A part of the path that is a number of the catalog.
    static func id(_ text: String, of name: String) throws(SiteError) -> Int64 {
        // A clip that only the cloud has is below 0.
        guard let id = Int64(text), id > 0 || (name == "clip" && id < 0) else {
            throw .invalid("\(text) is no \(name)'s id", "give the id that the list of \(name)s shows")
        }
        return id
    }
}

extension ListFilter {
    /// The parameters of a listing.
    static let parameters: Set<String> = ["camera", "from", "to", "limit", "order", "after"]
    /// The parameters of a listing of events.
    static let eventParameters = parameters.union(["level", "zone", "label", "cause", "unseen", "offset"])
}

extension SiteError {
    /// A refusal of the request as such.
    static func invalid(_ why: String, _ remedy: String) -> SiteError {
        SiteError(.invalid, what: "the request was refused", why: why, remedy: remedy)
    }
}

extension Query {
    /// A month, which must be given.
    func month(_ name: String) throws(SiteError) -> CalendarMonth {
        guard let text = self[name] else { throw .invalid("\(name) is missing", "write it like 2026-11") }
        guard let month = CalendarMonth(text) else {
            throw .invalid("\(name) is no month: \(text)", "write it like 2026-11")
        }
        return month
    }
}
