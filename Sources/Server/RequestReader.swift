internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Reads one request strictly: what is not known is refused, so that a misspelt parameter does not widen a listing.
struct RequestReader {
    let request: Request
    let context: APIContext
    /// Who asks.
    let principal: Principal

    /// Who asks, for the journal.
    var caller: Caller { principal.caller }

    /// The cameras that an answer may be about: the one that the request names, else all on which the caller has the right.
    /// Throws `forbidden` where it has none on the one that is named.
    func cameras(only camera: String?) throws -> CameraScope {
        guard let camera else { return principal.cameras }
        try Access.check(camera, self)
        return .only([camera])
    }

    /// Whether the client reads trailers (RFC 9110, 10.1.4).
    var takesTrailers: Bool {
        (request.headers[.te] ?? "").split(separator: ",").contains {
            $0.trimmingCharacters(in: .whitespaces).lowercased() == "trailers"
        }
    }

    /// A part of the path, percent-decoded.
    func path(_ name: String) throws -> String {
        guard let value = context.parameters.get(name)?.removingPercentEncoding, !value.isEmpty else {
            throw Self.invalid("the path names no \(name)", "name one: see docs/reference/http.md")
        }
        return value
    }

    /// A part of the path that is a number of the catalog.
    func id(_ name: String) throws -> Int64 {
        let text = try path(name)
        guard let id = Int64(text), id > 0 else {
            throw Self.invalid("\(text) is no \(name)'s id", "give the id that the list of \(name)s shows")
        }
        return id
    }

    /// The width of a picture.
    func width(_ text: String?) throws -> Int? {
        guard let text else { return nil }
        let range = SnapshotWidth.range
        guard let width = Int(text), range.contains(width) else {
            throw Self.invalid("width is \(text)", "give \(range.lowerBound) to \(range.upperBound) pixels")
        }
        return width
    }

    /// A switch of the query; off where it is absent.
    func flag(_ text: String?, _ name: String) throws -> Bool {
        guard let text else { return false }
        guard let flag = Bool(text) else { throw Self.invalid("\(name) is \(text)", "give true or false") }
        return flag
    }

    /// The query, each name at most once and one of `names`.
    func query(_ names: Set<String>) throws -> [String: String] {
        var values: [String: String] = [:]
        for (key, value) in request.uri.queryParameters {
            let name = String(key)
            guard names.contains(name) else {
                let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
                throw Self.invalid("unknown parameter \(name)", "known are: \(known)")
            }
            guard values.updateValue(String(value), forKey: name) == nil else {
                throw Self.invalid("parameter \(name) occurs twice", "give it once")
            }
        }
        return values
    }

    /// The filter of a listing.
    func filter() throws -> ListFilter {
        let values = try query(["camera", "from", "to", "limit", "order", "after"])
        var filter = ListFilter(camera: values["camera"], after: values["after"])
        filter.from = try values["from"].map { try Self.time($0, "from") }
        filter.to = try values["to"].map { try Self.time($0, "to") }
        if let from = filter.from, let to = filter.to, from >= to {
            throw Self.invalid("from is not before to", "swap them")
        }
        if let text = values["limit"] {
            guard let limit = Int(text), (1...ListFilter.pageMax).contains(limit) else {
                throw Self.invalid("limit is \(text)", "give a number from 1 to \(ListFilter.pageMax)")
            }
            filter.limit = limit
        }
        if let text = values["order"] {
            guard let order = ListFilter.Order(rawValue: text) else {
                throw Self.invalid("order is \(text)", "give oldest or newest")
            }
            filter.order = order
        }
        return filter
    }

    /// An interval that must be given.
    func interval() throws -> (from: WallTime, to: WallTime) { try interval(query(["from", "to"])) }

    /// The interval that `values` of a query must give.
    func interval(_ values: [String: String]) throws -> (from: WallTime, to: WallTime) {
        guard let first = values["from"], let last = values["to"] else {
            throw Self.invalid("from or to is missing", "give both as RFC 3339 times")
        }
        let (from, to) = (try Self.time(first, "from"), try Self.time(last, "to"))
        guard from < to else { throw Self.invalid("from is not before to", "swap them") }
        return (from, to)
    }

    /// The body as JSON of a known shape, at most `Limits.bodyBytesMax` bytes. A key that the shape does not have is refused.
    func body<Value: Codable>(_ type: Value.Type) async throws -> Value {
        let bytes = try await request.body.collect(upTo: Limits.bodyBytesMax)
        do {
            let data = Data(bytes.readableBytesView)
            let value = try JSONDecoder().decode(type, from: data)
            let unknown = try Self.keys(data).subtracting(Self.keys(try JSONEncoder().encode(value)))
            if let key = unknown.sorted().first {
                throw Self.invalid("the body has the unknown key \(key.prefix(80))", "see docs/reference/http.md")
            }
            return value
        } catch let error as DecodingError {
            throw Self.invalid(
                "the body is not what this route takes: \(Self.explain(error))", "see docs/reference/http.md")
        }
    }

    /// The keys of a JSON object that have a value.
    private static func keys(_ data: Data) throws -> Set<String> {
        Set(try JSONDecoder().decode([String: Presence].self, from: data).filter(\.value.isThere).keys)
    }

    /// Whether a JSON value is there, whatever it is.
    private struct Presence: Decodable {
        let isThere: Bool

        init(from decoder: any Decoder) throws { isThere = try !decoder.singleValueContainer().decodeNil() }
    }

    /// A refusal of the request as such.
    static func invalid(_ why: String, _ remedy: String) -> SiteError {
        SiteError(.invalid, what: "the request was refused", why: why, remedy: remedy)
    }

    /// A time of the query.
    static func time(_ text: String, _ name: String) throws -> WallTime {
        guard let time = WallTime(rfc3339: text) else {
            throw invalid("\(name) is not an RFC 3339 time: \(text)", "write it like 2026-11-21T10:00:00Z")
        }
        return time
    }

    private static func explain(_ error: DecodingError) -> String {
        func at(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        switch error {
        case .keyNotFound(let key, _): return "\(key.stringValue) is missing"
        case .valueNotFound(_, let context): return "\(at(context.codingPath)) is null"
        case .typeMismatch(_, let context): return "\(at(context.codingPath)) has the wrong type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "\(at(context.codingPath)): \(context.debugDescription)"
        case .dataCorrupted: return "no JSON"
        @unknown default: return "no JSON of that shape"
        }
    }
}
