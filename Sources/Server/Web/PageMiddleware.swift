internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Answers whatever is not asked of the interface with a file of the web page.
struct PageMiddleware: RouterMiddleware {
    let files: PageFiles
    /// The first parts of the interface's paths, such as `v1`.
    let roots: Set<Substring>

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head, !isOfInterface(request.uri.path) else {
            return try await next(request, context)
        }
        guard let file = files.file(at: Substring(request.uri.path)) else {
            return Reply.text("This is Vigil, a network video recorder. Use the command line: `vigil --help`.\n")
        }
        // Asked for again each time, and sent again only where it has changed: a new version is there at once.
        var headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
        let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
        if known.contains(where: { $0.filter { $0 != " " } == file.tag }) {
            return Response(status: .notModified, headers: headers)
        }
        guard request.method == .get else {
            headers[.contentLength] = "\(file.bytes.readableBytes)"
            return Response(status: .ok, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }

    private func isOfInterface(_ path: String) -> Bool {
        path.split(separator: "/", maxSplits: 1).first.map(roots.contains) ?? false
    }
}
