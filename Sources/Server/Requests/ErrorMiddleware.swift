internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// An error of what is below the interface that knows its cause and its remedy, and holds no secret.
package protocol ExplainedError: Error {
    /// What the caller is told, and the journal.
    var explained: SiteError { get }
}

/// Turns every error into problem details (RFC 9457).
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as SiteError {
            var response = try Reply.error(error)
            // For devices that show a password only when they are asked. A browser would ask its user; it names the origin of
            // each POST.
            if error.kind == .unauthenticated, request.method == .post, request.headers[.origin] == nil {
                response.headers[.wwwAuthenticate] = "Basic realm=\"vigil\", charset=\"UTF-8\", Bearer realm=\"vigil\""
            }
            return response
        } catch let error as any ExplainedError {
            let explained = error.explained
            context.logger.error(
                "request failed", metadata: ["path": "\(request.uri.path)", "why": "\(explained.why)"])
            return try Reply.error(explained)
        } catch let error as any HTTPResponseError {
            return try Reply.error(Self.siteError(error.status, request))
        } catch is CancellationError {
            return try Reply.error(
                SiteError(
                    .unavailable, what: "the request was not finished", why: "the daemon is shutting down",
                    remedy: "try again when it is back"))
        } catch  where (context as? APIContext)?.channel.isActive == false {
            // The client went away, or was cut off, before its request was whole: nobody hears the answer, and no client fills
            // the journal.
            throw error
        } catch {
            // The text of an unforeseen error may hold an address with a password; it goes to the journal's debug
            // level.
            context.logger.error("request failed", metadata: ["path": "\(request.uri.path)"])
            context.logger.debug("request failed because of", metadata: ["error": "\(error)"])
            return try Reply.error(
                SiteError(
                    .failed, what: "the daemon could not answer", why: "an unforeseen error",
                    remedy: "look into the journal (`journalctl -u vigil`) and report what it says"))
        }
    }

    /// The errors that the HTTP library itself throws: no such route (or not with this method), body too large.
    private static func siteError(_ status: HTTPResponse.Status, _ request: Request) -> SiteError {
        let asked = "\(request.method.rawValue) \(request.uri.path)"
        switch status {
        case .notFound:
            return SiteError(
                .notFound, what: "no answer to \(asked)", why: "there is no such route with this method",
                remedy: "use a route of docs/reference/http.md")
        case .contentTooLarge:
            return SiteError(
                .tooLarge, what: "the body of \(asked) was refused",
                why: "it is larger than that of this request may be, at most \(Limits.bodyBytesMax) bytes",
                remedy: "send less")
        default:
            return SiteError(
                .invalid, what: "\(asked) was refused", why: status.reasonPhrase,
                remedy: "see docs/reference/http.md")
        }
    }
}
