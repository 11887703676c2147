internal import HTTPTypes
internal import Hummingbird

/// One route of the control interface. The reference page is held equal to the list of these by a test.
struct Route: Sendable {
    /// Answers one request.
    typealias Handler = @Sendable (RequestReader, any Site) async throws -> Response

    /// The method.
    let method: HTTPRequest.Method
    /// The path, with its variable parts in braces.
    let path: String
    /// Answers it.
    let handler: Handler

    init(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.handler = handler
    }

    /// `GET /v1/cameras/{camera}/state`, as the reference page writes it.
    var title: String { "\(method.rawValue) \(path)" }
}
