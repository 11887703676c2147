internal import Hummingbird
internal import Logging

/// Admits or refuses each request by its peer's credentials, before any route is looked at.
struct GateMiddleware: RouterMiddleware {
    let gate: Gate

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do {
            context.caller = try await gate.admit(context.channel)
        } catch let refusal as SiteError {
            context.logger.notice("caller refused at the control socket", metadata: ["why": "\(refusal.what)"])
            throw refusal
        }
        return try await next(request, context)
    }
}
