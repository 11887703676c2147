internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Reads one request: who asks, the parts of its path, its query and its body.
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

    /// The same of several cameras, each of which is checked.
    func cameras(among cameras: [String]?) throws -> CameraScope {
        guard let cameras else { return principal.cameras }
        for camera in cameras { try Access.check(camera, self) }
        return .only(Set(cameras))
    }

    /// Whether the client reads trailers (RFC 9110, 10.1.4).
    var takesTrailers: Bool { words(of: .te).contains("trailers") }

    /// The words of a field that is a list, in small letters.
    func words(of field: HTTPField.Name) -> [String] {
        (request.headers[field] ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
    }

    /// A part of the path, percent-decoded.
    func path(_ name: String) throws -> String {
        guard let value = context.parameters.get(name)?.removingPercentEncoding, !value.isEmpty else {
            throw SiteError.invalid("the path names no \(name)", "name one: see docs/reference/http.md")
        }
        return value
    }

    /// A part of the path that is a number of the catalog.
    func id(_ name: String) throws -> Int64 { try Query.id(path(name), of: name) }

    /// The query, each name at most once and one of `names`.
    func query(_ names: Set<String>) throws -> Query {
        try Query(request.uri.queryParameters.map { (String($0.key), String($0.value)) }, of: names)
    }

    /// The filter of a listing.
    func filter() throws -> ListFilter { try query(ListFilter.parameters).filter() }

    /// The filter of a listing of events.
    func eventFilter() throws -> ListFilter {
        let query = try query(ListFilter.eventParameters)
        var filter = try query.filter()
        filter.conditions = try query.conditions()
        return filter
    }

    /// An interval that must be given.
    func interval() throws -> (from: WallTime, to: WallTime) { try query(["from", "to"]).interval() }

    /// The body as JSON of a known shape, at most `Limits.bodyBytesMax` bytes. A key that the shape does not have is refused.
    func body<Value: Codable>(_ type: Value.Type) async throws -> Value {
        let bytes = try await request.body.collect(upTo: Limits.bodyBytesMax)
        return try JSONBody.decode(type, Data(bytes.readableBytesView))
    }

    /// Throws `invalid` where the request has a body beside its query.
    func noBody() async throws {
        guard try await request.body.collect(upTo: Limits.bodyBytesMax).readableBytes == 0 else {
            throw SiteError.invalid("a body stands beside the query", "give one of them")
        }
    }

    /// The same, or `standard` where the request has no body.
    func body<Value: Codable>(_ type: Value.Type, or standard: Value) async throws -> Value {
        let bytes = try await request.body.collect(upTo: Limits.bodyBytesMax)
        return bytes.readableBytes == 0 ? standard : try JSONBody.decode(type, Data(bytes.readableBytesView))
    }
}
