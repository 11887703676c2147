internal import Hummingbird
internal import Logging
internal import NIOCore

/// Admits or refuses each request, before any route is looked at.
struct GateMiddleware: RouterMiddleware {
    /// Finds out who asks and what they may do; throws a `SiteError` where they may nothing.
    typealias Admit = @Sendable (any Channel) async throws -> Principal

    let admit: Admit

    func handle(
        _ request: Request, context: APIContext, next: (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do {
            context.principal = try await admit(context.channel)
        } catch let refusal as SiteError where refusal.kind == .forbidden && context.channel.isActive {
            context.logger.notice("caller refused at the control socket", metadata: ["why": "\(refusal.what)"])
            throw refusal
        }
        return try await next(request, context)
    }
}
