internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// Admits or refuses each request, before any route is looked at.
struct GateMiddleware: RouterMiddleware {
    /// Finds out who sends a request over a channel and what they may do; throws a `SiteError` where they may nothing.
    typealias Admit = @Sendable (HTTPRequest, any Channel) async throws -> Admission

    let admit: Admit

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let admission: Admission
        do {
            admission = try await admit(request.head, context.channel)
        } catch let refusal as SiteError where refusal.kind == .forbidden && context.channel.isActive {
            context.logger.notice("caller refused", metadata: ["why": "\(refusal.what)"])
            throw refusal
        }
        var principal = admission.principal
        principal.login = admission.login.map(LoginID.init)
        context.principal = principal
        guard let cookie = admission.cookie else { return try await next(request, context) }
        var response = try await next(request, context)
        response.headers[.setCookie] = cookie
        return response
    }
}
