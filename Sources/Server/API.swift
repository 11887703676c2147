internal import HTTPTypes
internal import Hummingbird

/// The control interface: what is served over the Unix socket, behind the gate. Each group of routes takes the part of the
/// site that it needs.
enum API {
    /// All routes, in the order of the reference page.
    static func routes(_ site: any Site) -> [Route] {
        reading(site) + following(site) + explaining(site) + commands(site) + policies(site) + media(site)
    }

    /// A router that answers from `site` whomever `gate` admits.
    static func router(site: any Site, gate: Gate) -> Router<APIContext> {
        router(site: site) { try await gate.admit($0) }
    }

    /// A router that answers from `site` whomever `admit` lets in.
    static func router(site: any Site, admit: @escaping GateMiddleware.Admit) -> Router<APIContext> {
        let router = Router(context: APIContext.self)
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: GateMiddleware(admit: admit))
        for route in routes(site) {
            let path = route.path.replacing("{", with: ":").replacing("}", with: "")
            router.on(RouterPath(path), method: route.method) { request, context in
                let reader = RequestReader(request: request, context: context, principal: try context.admitted())
                try await Access.check(route, reader, site)
                return try await route.handler(reader)
            }
        }
        return router
    }
}
