internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Builds answers.
enum Reply {
    /// The header that carries `Page.next`.
    static let nextPage = HTTPField.Name("Vigil-Next")

    /// `value` as the bytes of JSON; keys sorted, so that the same answer has the same bytes.
    static func bytes(_ value: some Encodable) throws -> ByteBuffer { ByteBuffer(bytes: try JSONBytes.of(value)) }

    /// `value` as JSON.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        json(bytes: try bytes(value), status: status)
    }

    /// What was written as JSON before.
    static func json(bytes: ByteBuffer, status: HTTPResponse.Status = .ok) -> Response {
        let headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    /// One page of a listing: the array as body, where to go on as header.
    static func page<Element: Encodable & Sendable>(_ page: Page<Element>) throws -> Response {
        var response = try json(page.items)
        if let name = nextPage, let next = page.next { response.headers[name] = next }
        return response
    }

    /// A refusal.
    static func error(_ error: SiteError) throws -> Response {
        var response = try json(ErrorBody(error), status: .init(code: error.kind.rawValue))
        response.headers[.contentType] = ErrorBody.mediaType
        // What RFC 9110 and RFC 6585 want beside these.
        if error.kind == .unauthenticated { response.headers[.wwwAuthenticate] = "Bearer realm=\"vigil\"" }
        if error.kind == .tooOften { response.headers[.retryAfter] = "\(LoginBounds.triesMs / 1_000)" }
        return response
    }

    /// Metrics in Prometheus' text format.
    static func metrics(_ metrics: [Metric]) -> Response {
        var response = text(Metric.text(of: metrics))
        response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return response
    }

    /// It was done, and there is nothing to say.
    static func nothing() -> Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }

    /// One line of plain text.
    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        let headers: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
